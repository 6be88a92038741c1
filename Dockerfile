# SPDX-License-Identifier: MIT
# For machines that are neither Debian 12 nor Ubuntu 22.04+. All set-up is the launcher's.
#   docker build -t convkit . && docker run --rm -it -v "$PWD/work:/convkit/work" convkit check 1
FROM debian:12-slim
COPY . /convkit
WORKDIR /convkit
RUN ./convkit --version
ENTRYPOINT ["./convkit"]
CMD ["demo"]
