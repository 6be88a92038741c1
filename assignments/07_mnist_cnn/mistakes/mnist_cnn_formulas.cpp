// SPDX-License-Identifier: MIT
// The parts of a training.
#include "compare/formula/mistakes.h"

namespace convkit::stage_07 {
namespace {

#define CONVKIT_NORMALISED                                                                       \
  "; mean = sum(a<n, i<area) x[a:n, k:c, i:area] / (n * area)"                                   \
  "; variance = sum(a<n, i<area) ((x[a:n, k:c, i:area] - mean) * (x[a:n, k:c, i:area] - mean)) " \
  "/ (n * area)"

// With the mean and 1 / sqrt(variance + epsilon) of the forward pass.
#define CONVKIT_BACKWARD_SUMS                                                                \
  "; dshift = sum(a<n, i<area) dy[a:n, k:c, i:area]"                                         \
  "; dscale = sum(a<n, i<area) (dy[a:n, k:c, i:area] * (x[a:n, k:c, i:area] - mean[k:c]) * " \
  "inverse[k:c])"

constexpr const char* kStatisticsHint =
    "Per channel, over all images and positions: mean = sum / (n * area), variance = sum of (x - "
    "mean)^2 / (n * area), inverse = 1 / sqrt(variance + epsilon), y = (x - mean) * inverse * "
    "scale + shift.";
constexpr const char* kRunningHint =
    "running = (1 - momentum) * running + momentum * new; the running variance is the sum of "
    "squares divided by n * area - 1, their number less one.";
constexpr const char* kBackwardHint =
    "With xhat = (x - mean) * inverse: dshift = sum of dy, dscale = sum of dy * xhat, dx = scale * "
    "inverse * (dy - dshift / (n * area) - xhat * dscale / (n * area)): mean and variance depend "
    "on "
    "x, too, and each adds a term.";
constexpr const char* kCrossEntropyHint =
    "loss = log(sum of exp(logit - largest)) - (logit of the label - largest); dlogits = (softmax "
    "- "
    "1 at the label) / n.";
constexpr const char* kSgdHint =
    "velocity = momentum * velocity + gradient + weight_decay * w, then w = w - lr * velocity.";
constexpr const char* kAdamHint =
    "g = gradient + weight_decay * w; m = 0.9 m + 0.1 g; v = 0.999 v + 0.001 g^2; w -= lr * (m / "
    "(1 "
    "- 0.9^t)) / (sqrt(v / (1 - 0.999^t)) + 1e-8) with t = step + 1.";
constexpr const char* kScheduleHint =
    "Step: lr * step_factor^(epoch / step_epochs), whole division. Cosine: lr * (1 + cos(pi * "
    "epoch / epochs)) / 2.";
constexpr const char* kFoldHint =
    "factor = scale / sqrt(variance + epsilon) for each map; w * factor, and (b - mean) * factor + "
    "shift.";

#define CONVKIT_DECAYED "; g = gradient[i:size] + weight_decay * w0[i:size]"
#define CONVKIT_MOMENTS                    \
  "; m = 0.9 * m0[i:size] + (1 - 0.9) * g" \
  "; v = 0.999 * v0[i:size] + (1 - 0.999) * (g * g)"
// For the step of the weights alone.
#define CONVKIT_CORRECTED                        \
  "; m_corrected = m / (1 - pow(0.9, step + 1))" \
  "; v_corrected = v / (1 - pow(0.999, step + 1))"

const OperationFormula kFormulas[] = {
    {"softmax_cross_entropy",
     "losses[image<n] = log(sum(j<k) exp(logits[image:n, j:k] - top)) - (logits[image:n, "
     "labels[image:n]:k] - top); top = max(j<k) logits[image:n, j:k]",
     kCrossEntropyHint},
    {"softmax_cross_entropy",
     "dlogits[image<n, o<k] = (exp(logits[image:n, o:k] - top) / sum(j<k) exp(logits[image:n, j:k] "
     "- top) - if(o == labels[image:n], 1, 0)) / n; top = max(j<k) logits[image:n, j:k]",
     kCrossEntropyHint},
    {"batchnorm_forward", "mean[k<c] = mean" CONVKIT_NORMALISED, kStatisticsHint},
    {"batchnorm_forward", "inverse[k<c] = 1 / sqrt(variance + epsilon)" CONVKIT_NORMALISED,
     kStatisticsHint},
    {"batchnorm_forward",
     "y[image<n, k<c, position<area] = (x[image:n, k:c, position:area] - mean) / sqrt(variance + "
     "epsilon) * scale[k:c] + shift[k:c]" CONVKIT_NORMALISED,
     kStatisticsHint},
    {"batchnorm_forward",
     "running_mean[k<c] = (1 - momentum) * mean0[k:c] + momentum * mean" CONVKIT_NORMALISED,
     kRunningHint},
    {"batchnorm_forward",
     "running_variance[k<c] = (1 - momentum) * variance0[k:c] + momentum * unbiased"
     "; mean = sum(a<n, i<area) x[a:n, k:c, i:area] / (n * area)"
     "; unbiased = sum(a<n, i<area) ((x[a:n, k:c, i:area] - mean) * (x[a:n, k:c, i:area] - mean)) "
     "/ (n * area - 1)",
     kRunningHint},
    // Of layers within a network (compare/network), which are no cases of their own.
    {"batchnorm_by_running",
     "y[image<n, k<c, position<area] = (x[image:n, k:c, position:area] - mean[k:c]) / "
     "sqrt(variance[k:c] + epsilon) * scale[k:c] + shift[k:c]",
     kStatisticsHint},
    {"network_pixels", "x[i<size] = (bytes[i:size] / 255 - 0.1307) / 0.3081",
     "A byte becomes the number (byte / 255 - 0.1307) / 0.3081."},
    {"batchnorm_backward", "dscale[k<c] = dscale" CONVKIT_BACKWARD_SUMS, kBackwardHint},
    {"batchnorm_backward", "dshift[k<c] = dshift" CONVKIT_BACKWARD_SUMS, kBackwardHint},
    {"batchnorm_backward",
     "dx[image<n, k<c, position<area] = scale[k:c] * inverse[k:c] * (dy[image:n, k:c, "
     "position:area] - dshift / (n * area) - (x[image:n, k:c, position:area] - mean[k:c]) * "
     "inverse[k:c] * dscale / (n * area))" CONVKIT_BACKWARD_SUMS,
     kBackwardHint},
    {"dropout_forward", "y[i<size] = if(keep[i:size] > 0, x[i:size] / (1 - probability), 0)",
     "What stays is divided by 1 - probability, so that the mean does not change."},
    {"sgd_step", "velocity[i<size] = momentum * velocity0[i:size] + g" CONVKIT_DECAYED, kSgdHint},
    {"sgd_step",
     "w[i<size] = w0[i:size] - lr * velocity" CONVKIT_DECAYED
     "; velocity = momentum * velocity0[i:size] + g; velocity_before = velocity0[i:size]",
     kSgdHint},
    {"adam_step", "m[i<size] = m" CONVKIT_DECAYED CONVKIT_MOMENTS CONVKIT_CORRECTED, kAdamHint},
    {"adam_step", "v[i<size] = v" CONVKIT_DECAYED CONVKIT_MOMENTS CONVKIT_CORRECTED, kAdamHint},
    {"adam_step",
     "w[i<size] = w0[i:size] - lr * (m / (1 - pow(0.9, step + 1))) / (sqrt(v / (1 - pow(0.999, "
     "step + 1))) + 0.00000001)" CONVKIT_DECAYED CONVKIT_MOMENTS
     "; m_before = m0[i:size]; v_before = v0[i:size]",
     kAdamHint},
    {"learning_rate",
     "rates[epoch<epochs] = if(schedule == 0, lr, if(schedule == 1, lr * pow(step_factor, "
     "epoch // step_epochs), lr * (1 + cos(3.141592653589793 * epoch / epochs)) / 2))",
     kScheduleHint},
    {"batchnorm_fold",
     "folded_w[map<m, tap<taps] = w[map:m, tap:taps] * (scale[map:m] / sqrt(variance[map:m] + "
     "epsilon))",
     kFoldHint},
    {"batchnorm_fold",
     "folded_b[map<m] = (b[map:m] - mean[map:m]) * (scale[map:m] / sqrt(variance[map:m] + "
     "epsilon)) + shift[map:m]",
     kFoldHint},
};
const RegisterFormulas kFormulasRegistered(kFormulas);

}  // namespace
}  // namespace convkit::stage_07
