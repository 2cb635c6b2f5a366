# SPDX-License-Identifier: Apache-2.0
"""A function compiled by JAX, on the GPU."""
import os

import support

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
os.environ.setdefault("XLA_FLAGS", "--xla_gpu_deterministic_ops=true --xla_gpu_autotune_level=0")
jax = support.need("jax")
numpy = support.need("numpy")


@jax.jit
def layers(data, weights):
    for weight in weights:
        data = jax.numpy.tanh(data @ weight)
    return data.T + 1.0


def main():
    try:
        device = jax.devices("gpu")[0]
    except RuntimeError as error:
        support.skip(f"no GPU here: {str(error)[:150]}")
    random = numpy.random.default_rng(0)
    weights = [jax.device_put(random.standard_normal((256, 256), numpy.float32), device) for _ in range(3)]
    data = jax.device_put(random.standard_normal((512, 256), numpy.float32), device)
    for _ in range(5):
        result = layers(data, weights)
    support.digest("jax", numpy.asarray(result))


if __name__ == "__main__":
    main()
