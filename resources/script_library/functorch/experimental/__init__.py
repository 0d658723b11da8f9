# SPDX-License-Identifier: Apache-2.0
# functorch.experimental: where operations that take functions were before torch had them.
