# SPDX-License-Identifier: Apache-2.0
"""Operators of ONNX over images: convolutions, pools, other sizes, regions; transforms of signals."""
import math
import torch
import torch.nn.functional as F
from torch.onnx._values import dtype_of, is_number, number, numbers

_CONVOLUTIONS = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
_TRANSPOSED = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}


class Images:
    def _pads(self, x, kernel, strides, dilations, pads, auto_pad, ceil=0):
        """(begin, end) of each dimension."""
        rank = len(kernel)
        if auto_pad in ("SAME_UPPER", "SAME_LOWER"):
            pads = []
            for size, k, stride, dilation in zip(x.shape[2:], kernel, strides, dilations):
                total = max((-(-size // stride) - 1) * stride + (k - 1) * dilation + 1 - size, 0)
                before = total // 2 if auto_pad == "SAME_UPPER" else total - total // 2
                pads.append((before, total - before))
            return pads
        pads = list(pads or [0] * (2 * rank))
        return list(zip(pads[:rank], pads[rank:]))

    def _padded(self, x, pads, value=0.0):
        """(x, padding): what a call of torch can pad itself is left to it."""
        if all(a == b for a, b in pads):
            return x, tuple(a for a, b in pads)
        return F.pad(x, [size for pair in reversed(pads) for size in pair], "constant", value), (0,) * len(pads)

    def Conv(self, x, w, b=None, auto_pad="NOTSET", dilations=None, group=1, kernel_shape=None, pads=None,
             strides=None):
        rank = x.dim() - 2
        strides, dilations = tuple(strides or [1] * rank), tuple(dilations or [1] * rank)
        x, padding = self._padded(x, self._pads(x, tuple(w.shape[2:]), strides, dilations, pads, auto_pad))
        return _CONVOLUTIONS[rank](x, w, b, strides, padding, dilations, group)

    def ConvTranspose(self, x, w, b=None, auto_pad="NOTSET", dilations=None, group=1, kernel_shape=None,
                      output_padding=None, output_shape=None, pads=None, strides=None):
        rank = x.dim() - 2
        strides, dilations = tuple(strides or [1] * rank), tuple(dilations or [1] * rank)
        more, kernel = list(output_padding or [0] * rank), tuple(w.shape[2:])
        full = [(size - 1) * stride + (k - 1) * dilation + 1 + extra for size, stride, k, dilation, extra in
                zip(x.shape[2:], strides, kernel, dilations, more)]
        if output_shape is None and auto_pad.startswith("SAME"):
            output_shape = [size * stride for size, stride in zip(x.shape[2:], strides)]
        if output_shape is not None:
            total = [max(size - want, 0) for size, want in zip(full, output_shape[-rank:])]
            more = [extra + max(want - size, 0) for size, want, extra in zip(full, output_shape[-rank:], more)]
            cut = [(t // 2, t - t // 2) if auto_pad != "SAME_LOWER" else (t - t // 2, t // 2) for t in total]
        else:
            cut = self._pads(x, kernel, strides, dilations, pads, auto_pad)
        if all(a == a1 for a, a1 in cut) and all(e < max(s, d) for e, s, d in zip(more, strides, dilations)):
            return _TRANSPOSED[rank](x, w, b, strides, tuple(a for a, e in cut), tuple(more), group, dilations)
        y = _TRANSPOSED[rank](x, w, b, strides, 0, 0, group, dilations)
        edges = [size for (a, e), extra in reversed(list(zip(cut, more))) for size in (-a, extra - e)]
        return F.pad(y, edges)

    # Pools

    def _windows(self, x, kernel, strides, dilations, pads, ceil_mode, value):
        """x padded with a value, for windows that all lie inside of it."""
        full = []
        for size, k, s, d, (before, after) in zip(x.shape[2:], kernel, strides, dilations, pads):
            span = size + before + after - (k - 1) * d - 1
            count = (-(-span // s) if ceil_mode else span // s) + 1
            if ceil_mode and (count - 1) * s >= size + before:
                count -= 1
            full.append((before, max((count - 1) * s + (k - 1) * d + 1 - size - before, 0)))
        return F.pad(x, [size for pair in reversed(full) for size in pair], "constant", value), full

    def _unfolded(self, x, kernel, strides, dilations):
        """[n, c, places..., offsets...]"""
        rank = len(kernel)
        for d in range(rank):
            x = x.unfold(2 + d, (kernel[d] - 1) * dilations[d] + 1, strides[d])
        for d in range(rank):
            x = x[(slice(None),) * (2 + rank + d) + (slice(None, None, dilations[d]),)]
        return x

    def AveragePool(self, x, kernel_shape, auto_pad="NOTSET", ceil_mode=0, count_include_pad=0, dilations=None,
                    pads=None, strides=None):
        rank = len(kernel_shape)
        strides, dilations = tuple(strides or [1] * rank), tuple(dilations or [1] * rank)
        pads = self._pads(x, kernel_shape, strides, dilations, pads, auto_pad)
        same = all(a == b and 2 * a <= k for (a, b), k in zip(pads, kernel_shape))
        if same and not ceil_mode and all(d == 1 for d in dilations):
            pool = {1: F.avg_pool1d, 2: F.avg_pool2d, 3: F.avg_pool3d}[rank]
            return pool(x, tuple(kernel_shape), strides, tuple(a for a, b in pads), False, bool(count_include_pad))
        padded, full = self._windows(x, kernel_shape, strides, dilations, pads, ceil_mode, 0.0)
        over = tuple(range(2 + rank, 2 + 2 * rank))
        sums = self._unfolded(padded, kernel_shape, strides, dilations).sum(over)
        ones = torch.ones((1, 1) + tuple(x.shape[2:]), dtype=x.dtype)
        if count_include_pad:
            ones = F.pad(ones, [size for pair in reversed(pads) for size in pair], "constant", 1.0)
            rest = [(0, b - q) for (a, b), (p, q) in zip(full, pads)]
        else:
            rest = full
        ones = F.pad(ones, [size for pair in reversed(rest) for size in pair])
        return sums / self._unfolded(ones, kernel_shape, strides, dilations).sum(over)

    def MaxPool(self, x, kernel_shape, auto_pad="NOTSET", ceil_mode=0, dilations=None, pads=None, storage_order=0,
                strides=None, outputs=1):
        rank = len(kernel_shape)
        strides, dilations = tuple(strides or [1] * rank), tuple(dilations or [1] * rank)
        pads = self._pads(x, kernel_shape, strides, dilations, pads, auto_pad)
        same = all(a == b and 2 * a <= k for (a, b), k in zip(pads, kernel_shape))
        if outputs == 1 and same and x.is_floating_point():
            pool = {1: F.max_pool1d, 2: F.max_pool2d, 3: F.max_pool3d}[rank]
            return pool(x, tuple(kernel_shape), strides, tuple(a for a, b in pads), dilations, bool(ceil_mode))
        least = float("-inf") if x.is_floating_point() else torch.iinfo(x.dtype).min
        padded, full = self._windows(x, kernel_shape, strides, dilations, pads, ceil_mode, least)
        values = self._unfolded(padded, kernel_shape, strides, dilations).flatten(2 + rank)
        if outputs == 1:
            return values.amax(-1)
        best, at = values.max(-1)
        sizes = tuple(x.shape[2:])
        places = torch.arange(math.prod(sizes)).reshape((1, 1) + sizes)
        if storage_order:
            places = torch.arange(math.prod(sizes)).reshape((1, 1) + sizes[::-1]).permute(
                (0, 1) + tuple(reversed(range(2, 2 + rank))))
        places = self._windows(places, kernel_shape, strides, dilations, pads, ceil_mode, 0)[0]
        places = self._unfolded(places, kernel_shape, strides, dilations).flatten(2 + rank)
        places = torch.gather(places.expand(values.shape), -1, at.unsqueeze(-1)).squeeze(-1)
        rows = torch.arange(x.shape[0] * x.shape[1]).reshape(tuple(x.shape[:2]) + (1,) * rank)
        return best, places + rows * math.prod(sizes)

    def MaxUnpool(self, x, indices, output_shape=None, kernel_shape=None, pads=None, strides=None):
        rank = len(kernel_shape)
        strides, pads = list(strides or [1] * rank), list(pads or [0] * (2 * rank))
        own = [(size - 1) * stride + k - pads[d] - pads[d + rank] for d, (size, stride, k) in
               enumerate(zip(x.shape[2:], strides, kernel_shape))]
        sizes = tuple(x.shape[:2]) + tuple(own)
        flat = torch.zeros(math.prod(sizes), dtype=x.dtype).scatter(0, indices.flatten(), x.flatten())
        y = flat.reshape(sizes)
        if output_shape is not None:
            want = numbers(output_shape)
            y = F.pad(y, [size for d in reversed(range(2, 2 + rank)) for size in (0, want[d] - sizes[d])])
        return y

    def GlobalAveragePool(self, x):
        return x.mean(tuple(range(2, x.dim())), keepdim=True)

    def GlobalMaxPool(self, x):
        return x.amax(tuple(range(2, x.dim())), keepdim=True)

    def LpPool(self, x, kernel_shape, auto_pad="NOTSET", ceil_mode=0, dilations=None, p=2, pads=None, strides=None):
        rank = len(kernel_shape)
        strides, dilations = tuple(strides or [1] * rank), tuple(dilations or [1] * rank)
        pads = self._pads(x, kernel_shape, strides, dilations, pads, auto_pad)
        padded = self._windows(x.abs() ** p, kernel_shape, strides, dilations, pads, ceil_mode, 0.0)[0]
        over = tuple(range(2 + rank, 2 + 2 * rank))
        return self._unfolded(padded, kernel_shape, strides, dilations).sum(over) ** (1.0 / p)

    def GlobalLpPool(self, x, p=2):
        return torch.linalg.vector_norm(x, p, tuple(range(2, x.dim())), keepdim=True)

    # Other sizes

    def DepthToSpace(self, x, blocksize, mode="DCR"):
        if mode == "CRD":
            return F.pixel_shuffle(x, blocksize)
        n, c, h, w = x.shape
        x = x.reshape(n, blocksize, blocksize, c // blocksize ** 2, h, w).permute(0, 3, 4, 1, 5, 2)
        return x.reshape(n, c // blocksize ** 2, h * blocksize, w * blocksize)

    def SpaceToDepth(self, x, blocksize):
        n, c, h, w = x.shape
        x = x.reshape(n, c, h // blocksize, blocksize, w // blocksize, blocksize).permute(0, 3, 5, 1, 2, 4)
        return x.reshape(n, c * blocksize ** 2, h // blocksize, w // blocksize)

    def Upsample(self, x, scales=None, mode="nearest", height_scale=None, width_scale=None):
        scales = (1.0, 1.0, height_scale, width_scale) if scales is None else numbers(scales)
        return self.Resize(x, None, scales, None, "asymmetric", mode=mode, nearest_mode="floor")

    def Resize(self, x, roi=None, scales=None, sizes=None, coordinate_transformation_mode=None, antialias=0, axes=None,
               cubic_coeff_a=-0.75, exclude_outside=0, extrapolation_value=0.0, keep_aspect_ratio_policy="stretch",
               mode="nearest", nearest_mode=None):
        if self.opset < 11 and scales is None:  # version 10 has no roi
            roi, scales = None, roi
        how = coordinate_transformation_mode or ("half_pixel" if self.opset >= 11 else "asymmetric")
        nearest = nearest_mode or ("round_prefer_floor" if self.opset >= 11 else "floor")
        axes, have = tuple(axes or range(x.dim())), tuple(x.shape)
        scales = None if scales is None or (not is_number(scales) and scales.numel() == 0) else numbers(scales)
        if sizes is not None and len(numbers(sizes)):
            want = numbers(sizes)
            ratios = [size / have[axis] for size, axis in zip(want, axes)]
            if keep_aspect_ratio_policy != "stretch":
                one = min(ratios) if keep_aspect_ratio_policy == "not_larger" else max(ratios)
                ratios = [one] * len(ratios)
                want = [math.floor(have[axis] * one + 0.5) for axis in axes]
        else:
            ratios = scales
            want = [math.floor(have[axis] * ratio) for axis, ratio in zip(axes, ratios)]
        roi = None if how != "tf_crop_and_resize" else numbers(roi)
        first = len(have) - sum(1 for axis, ratio in zip(axes, ratios) if ratio != 1.0)
        if first >= 2 and len(have) > 3 and len(axes) == len(have) and not exclude_outside and cubic_coeff_a == -0.75:
            if mode == "nearest" and how == "asymmetric" and nearest == "floor":
                return F.interpolate(x, size=tuple(want[2:]), mode="nearest")
            exact = all(have[axis] * ratio == size for axis, ratio, size in zip(axes, ratios, want))
            if mode in ("linear", "cubic") and len(have) == 4 and (
                    how == "align_corners" or (how == "half_pixel" and exact)):
                return F.interpolate(x, size=tuple(want[2:]), mode="bi" + mode, align_corners=how == "align_corners",
                                     antialias=bool(antialias))
        outside = None
        for i, (axis, ratio, size) in enumerate(zip(axes, ratios, want)):
            if ratio == 1.0 and size == have[axis] and roi is None:
                continue
            span = None if roi is None else (roi[i], roi[i + len(axes)])
            at = self._coordinates(how, have[axis], size, ratio, span)
            if roi is not None:
                away = ((at < 0) | (at > have[axis] - 1)).reshape((-1,) + (1,) * (x.dim() - 1 - axis))
                outside = away if outside is None else outside | away
            x = self._resized(x, axis, at, ratio, mode, nearest, cubic_coeff_a, exclude_outside, antialias)
        return x if outside is None else torch.where(outside, torch.full_like(x, extrapolation_value), x)

    def _coordinates(self, how, have, size, ratio, span):
        places = torch.arange(size, dtype=torch.float64)
        if how == "tf_crop_and_resize":
            if size == 1:
                return torch.full((1,), 0.5 * (span[0] + span[1]) * (have - 1), dtype=torch.float64)
            return span[0] * (have - 1) + places * ((span[1] - span[0]) * (have - 1) / (size - 1))
        if how == "align_corners":
            return places * ((have - 1) / (size - 1) if size > 1 else 0.0)
        if how == "asymmetric":
            return places / ratio
        if how == "pytorch_half_pixel" and size == 1:
            return torch.zeros(1, dtype=torch.float64)
        if how == "tf_half_pixel_for_nn":
            return (places + 0.5) / ratio
        if how == "half_pixel_symmetric":
            adjustment = size / (ratio * have)
            return have / 2 * (1 - adjustment) + (places + 0.5) / ratio - 0.5
        return (places + 0.5) / ratio - 0.5

    def _resized(self, x, axis, at, ratio, mode, nearest, a, exclude_outside, antialias):
        have = x.shape[axis]
        if mode == "nearest":
            rounds = {"floor": torch.floor, "ceil": torch.ceil,
                      "round_prefer_floor": lambda v: torch.ceil(v - 0.5),
                      "round_prefer_ceil": lambda v: torch.floor(v + 0.5)}
            return x.index_select(axis, rounds[nearest](at).clamp(0, have - 1).to(torch.int64))
        stretch = min(ratio, 1.0) if antialias else 1.0
        reach = math.ceil((1 if mode == "linear" else 2) / stretch)
        low = torch.floor(at)
        result, total, weights = 0, 0, []
        for offset in range(1 - reach, reach + 1):
            place = low + offset
            distance = ((at - place) * stretch).abs()
            if mode == "linear":
                weight = (1 - distance).clamp(min=0)
            else:
                near = ((a + 2) * distance - (a + 3)) * distance * distance + 1
                far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
                weight = torch.where(distance <= 1, near, torch.where(distance < 2, far, torch.zeros_like(far)))
            if exclude_outside or (antialias and mode == "linear"):
                weight = torch.where((place >= 0) & (place < have), weight, torch.zeros_like(weight))
            weights.append((place.clamp(0, have - 1).to(torch.int64), weight))
            total = total + weight
        for place, weight in weights:
            if exclude_outside or antialias:
                weight = weight / total
            weight = weight.reshape((-1,) + (1,) * (x.dim() - 1 - axis % x.dim())).to(x.dtype)
            result = result + x.index_select(axis, place) * weight
        return result

    def GridSample(self, x, grid, align_corners=0, mode="bilinear", padding_mode="zeros"):
        names = {"linear": "bilinear", "cubic": "bicubic"}
        return F.grid_sample(x, grid, names.get(mode, mode), padding_mode, bool(align_corners))

    def AffineGrid(self, theta, size, align_corners=0):
        return F.affine_grid(theta, numbers(size), bool(align_corners))

    def Col2Im(self, x, image_shape, block_shape, dilations=None, pads=None, strides=None):
        pads = list(pads or [0, 0, 0, 0])
        return F.fold(x, numbers(image_shape), numbers(block_shape), tuple(dilations or [1, 1]), tuple(pads[:2]),
                      tuple(strides or [1, 1]))

    # Regions

    def RoiAlign(self, x, rois, batch_indices, coordinate_transformation_mode=None, mode="avg", output_height=1,
                 output_width=1, sampling_ratio=0, spatial_scale=1.0):
        how = coordinate_transformation_mode or ("half_pixel" if self.opset >= 16 else "output_half_pixel")
        shift = 0.5 if how == "half_pixel" else 0.0
        results = []
        for roi, image in zip(rois, batch_indices.tolist()):
            x1, y1, x2, y2 = (roi * spatial_scale - shift).tolist()
            width, height = x2 - x1, y2 - y1
            if not shift:
                width, height = max(width, 1.0), max(height, 1.0)
            ny = sampling_ratio or math.ceil(height / output_height)
            nx = sampling_ratio or math.ceil(width / output_width)
            ys = y1 + (torch.arange(output_height * ny) + 0.5) * (height / output_height / ny)
            xs = x1 + (torch.arange(output_width * nx) + 0.5) * (width / output_width / nx)
            results.append(self._sampled(x[image], ys, xs, mode, output_height, ny, output_width, nx))
        return torch.stack(results)

    def _sampled(self, image, ys, xs, mode, height, ny, width, nx):
        h, w = image.shape[1:]
        inside = ((ys >= -1) & (ys <= h))[:, None] & ((xs >= -1) & (xs <= w))[None, :]
        ys, xs = ys.clamp(0, h - 1), xs.clamp(0, w - 1)
        y0, x0 = ys.floor().to(torch.int64), xs.floor().to(torch.int64)
        y1, x1 = (y0 + 1).clamp(max=h - 1), (x0 + 1).clamp(max=w - 1)
        fy, fx = (ys - y0)[:, None], (xs - x0)[None, :]
        corners = [image[:, y0[:, None], x0[None, :]] * ((1 - fy) * (1 - fx)),
                   image[:, y0[:, None], x1[None, :]] * ((1 - fy) * fx),
                   image[:, y1[:, None], x0[None, :]] * (fy * (1 - fx)),
                   image[:, y1[:, None], x1[None, :]] * (fy * fx)]
        value = torch.maximum(torch.maximum(corners[0], corners[1]),
                              torch.maximum(corners[2], corners[3])) if mode == "max" else sum(corners)
        value = torch.where(inside, value, torch.zeros_like(value)).reshape(-1, height, ny, width, nx)
        return value.amax((2, 4)) if mode == "max" else value.mean((2, 4))

    def NonMaxSuppression(self, boxes, scores, max_output_boxes_per_class=0, iou_threshold=0.0, score_threshold=None,
                          center_point_box=0):
        most, limit = number(max_output_boxes_per_class), float(number(iou_threshold))
        if center_point_box:
            centre, size = boxes[..., :2], boxes[..., 2:]
            boxes = torch.cat([centre - size / 2, centre + size / 2], -1)
        low, high = torch.minimum(boxes[..., :2], boxes[..., 2:]), torch.maximum(boxes[..., :2], boxes[..., 2:])
        picked = []
        for image in range(scores.shape[0]):
            area = (high[image] - low[image]).prod(-1)
            for kind in range(scores.shape[1]):
                row, kept = scores[image, kind], []
                for i in row.argsort(descending=True, stable=True).tolist():
                    if len(kept) >= most or (score_threshold is not None and row[i] <= number(score_threshold)):
                        break
                    if kept:
                        both = (torch.minimum(high[image, kept], high[image, i]) -
                                torch.maximum(low[image, kept], low[image, i])).clamp(min=0).prod(-1)
                        if bool((both / (area[kept] + area[i] - both) > limit).any()):
                            continue
                    kept.append(i)
                picked += [[image, kind, i] for i in kept]
        return torch.tensor(picked, dtype=torch.int64).reshape(-1, 3)

    # Signals

    def _window(self, size, periodic, output_datatype, *terms):
        size = number(size)
        steps = torch.arange(size, dtype=torch.float64) * (2 * math.pi / (size if periodic else size - 1))
        return sum(c * torch.cos(i * steps) for i, c in enumerate(terms)).to(dtype_of(output_datatype))

    def HannWindow(self, size, output_datatype=1, periodic=1):
        return self._window(size, periodic, output_datatype, 0.5, -0.5)

    def HammingWindow(self, size, output_datatype=1, periodic=1):
        return self._window(size, periodic, output_datatype, 25 / 46, -21 / 46)

    def BlackmanWindow(self, size, output_datatype=1, periodic=1):
        return self._window(size, periodic, output_datatype, 0.42, -0.5, 0.08)

    def DFT(self, x, dft_length=None, axis=1, inverse=0, onesided=0):
        axis, length = number(axis), None if dft_length is None else number(dft_length)
        axis = axis - 1 if axis < 0 else axis
        if x.shape[-1] == 1 and not inverse:
            f = torch.fft.rfft if onesided else torch.fft.fft
            return torch.view_as_real(f(x.squeeze(-1), length, axis))
        x = torch.complex(x[..., 0], x[..., 1] if x.shape[-1] == 2 else torch.zeros_like(x[..., 0]))
        if inverse:
            return torch.view_as_real(torch.fft.ifft(x, length, axis))
        y = torch.fft.fft(x, length, axis)
        return torch.view_as_real(y.narrow(axis, 0, y.shape[axis] // 2 + 1) if onesided else y)

    def STFT(self, signal, frame_step, window=None, frame_length=None, onesided=1):
        length = number(frame_length) if frame_length is not None else window.shape[0]
        frames = signal[..., 0].unfold(1, length, number(frame_step))
        if signal.shape[-1] == 2:
            frames = torch.complex(frames, signal[..., 1].unfold(1, length, number(frame_step)))
        frames = frames if window is None else frames * window
        y = torch.fft.rfft(frames, dim=-1) if onesided and signal.shape[-1] == 1 else torch.fft.fft(frames, dim=-1)
        return torch.view_as_real(y)
