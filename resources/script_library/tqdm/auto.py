# SPDX-License-Identifier: Apache-2.0

from tqdm import tqdm, trange
