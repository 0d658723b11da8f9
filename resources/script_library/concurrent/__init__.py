# SPDX-License-Identifier: Apache-2.0
# concurrent: see concurrent.futures.
