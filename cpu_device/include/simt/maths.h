// SPDX-License-Identifier: MIT
// Mathematics in kernels. The C library's functions are there under their own names, overloaded for
// float and double in the global namespace, as nvcc has them.
#pragma once

#include <math.h>
#include <stdlib.h>

#include "simt/bessel_functions.h"
#include "simt/error_functions.h"
#include "simt/fast_maths.h"
#include "simt/float_overloads.h"
#include "simt/min_max.h"
#include "simt/rounded_double.h"
#include "simt/rounded_float.h"
#include "simt/special_functions.h"
