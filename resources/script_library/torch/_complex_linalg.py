# SPDX-License-Identifier: Apache-2.0
# torch.linalg of complex matrices. A + iB is worked on as the real matrix [[A, -B], [B, A]], whose products and
# inverses are those of the complex one, and whose eigenvalues and singular values are the complex one's, each twice;
# elimination and reflections go column by column, as LAPACK's unblocked zgetf2 and zgeqr2 do.
import torch
from torch import _ops
from torch._complex import C, P, both, conj, is_complex, make, parts, products, tables, views


def adjoint(a):
    return conj(a.mT)


def size(a):
    re, im = parts(a)
    return re * re + im * im


def embedded(z):
    re, im = both(z)
    return torch.cat([torch.cat([re, -im], -1), torch.cat([im, re], -1)], -2)


def taken(found, rows, columns):
    return make(found[..., :rows, :columns], found[..., rows:, :columns])


def whole(columns):
    """The complex vectors whose embeddings are the real \p columns."""
    n = columns.shape[-2] // 2
    return make(columns[..., :n, :], columns[..., n:, :])


def eye(n, like):
    return torch.eye(n, dtype=P(like).dtype, device=like.device)


def column_of(a, index):
    """Column index[..] of every matrix."""
    places = index[..., None, None].expand(list(a.shape[:-1]) + [1])
    return make(*(torch.gather(x, -1, places) for x in parts(a)))


def hermitian(a, upper=False):
    """Of one triangle and the real diagonal; the gradient is spread over both, as PyTorch's is."""
    half = torch.triu(a, 1) if upper else torch.tril(a, -1)
    read = half + adjoint(half) + make(torch.diag_embed(parts(a.diagonal(0, -2, -1))[0]), None)
    even = (a + adjoint(a)) * 0.5
    return even + (read - even).detach()


def farthest(z, count):
    """Count columns of z, always the one that is farthest from what those already taken span:
    their positions, ascending, and orthonormal columns that span the same."""
    rest, chosen, order = z, [], []
    for k in range(count):
        best = size(rest).sum(-2).argmax(-1)
        vector = column_of(rest, best)
        vector = vector / torch.sqrt(size(vector).sum(-2, keepdim=True))
        rest = rest - products.matmul(vector, products.matmul(adjoint(vector), rest))
        chosen.append(vector)
        order.append(best)
    order, by = torch.sort(torch.stack(order, -1), -1)
    found = torch.cat(chosen, -1)
    by = by.unsqueeze(-2).expand(found.shape)
    return order, make(*(torch.gather(x, -1, by) for x in parts(found)))


def independent(z, values):
    """Of vectors [.., n, 2 k], two for each value, orthonormal ones [.., n, k] that span the same spaces, with their
    values."""
    if z.shape[-1] == 0:
        return z, values
    order, found = farthest(z, z.shape[-1] // 2)
    return found, torch.gather(values, -1, order)


def reflected(a):
    """LAPACK's zgeqr2: R above the reflectors, and their factors [.., min(m, n)]."""
    m, n = a.shape[-2:]
    done, factors = [], []
    for k in range(min(m, n)):
        column = a[..., :, :1]
        alpha = column[..., :1, :]
        re, im = parts(alpha)
        below = size(column[..., 1:, :]).sum(-2, keepdim=True)
        none = (below == 0) & (im == 0)
        length = torch.sqrt(torch.where(none, 1, re * re + im * im + below))
        beta = torch.where(none, 1, -torch.copysign(length, re))
        tau = make(torch.where(none, 0, (beta - re) / beta), torch.where(none, 0, -im / beta))
        apart = alpha - beta
        tail = column[..., 1:, :] / torch.where(none, torch.ones_like(apart), apart)
        v = torch.cat([torch.ones_like(alpha), tail], -2)
        others = a[..., :, 1:]
        others = others - conj(tau) * products.matmul(v, products.matmul(adjoint(v), others))
        head = torch.where(none, alpha, make(beta, None))
        done.append((torch.cat([head, tail], -2), others[..., :1, :]))
        factors.append(tau.squeeze(-1))
        a = others[..., 1:, :]
    rows = []
    for k in range(len(done)):
        before = [done[j][0][..., k - j:k - j + 1, :] for j in range(k + 1)]
        rows.append(torch.cat(before + [done[k][1]], -1))
    for i in range(len(done), m):
        rows.append(torch.cat([done[j][0][..., i - j:i - j + 1, :] for j in range(len(done))] + [a[..., :1, :][..., :0]], -1)
                    if done else a[..., i:i + 1, :])
    packed = torch.cat(rows, -2) if rows else a
    return packed, torch.cat(factors, -1) if factors else make(*(x[..., :0, :].sum(-1) for x in parts(a)))


def turned_by(packed, tau, other, transposed=False):
    """Q other, of the reflectors below the diagonal of \p packed; transposed: Q^H other."""
    m, k = packed.shape[-2], tau.shape[-1]
    for i in range(k) if transposed else reversed(range(k)):
        tail = packed[..., i + 1:, i:i + 1]
        head = torch.zeros_like(packed[..., :i + 1, i:i + 1])
        if i:
            v = torch.cat([head[..., 1:, :], torch.ones_like(head[..., :1, :]), tail], -2)
        else:
            v = torch.cat([torch.ones_like(head), tail], -2)
        t = tau[..., i:i + 1].unsqueeze(-1)
        other = other - (conj(t) if transposed else t) * products.matmul(v, products.matmul(adjoint(v), other))
    return other


def leading(packed, count):
    """The first \p count columns of the unit matrix of packed's rows."""
    m = packed.shape[-2]
    one = make(eye(m, packed)[:, :count], None)
    return one.expand(list(packed.shape[:-2]) + [m, count])


def eliminated(a):
    """P, as the place of each row, and L below U, with the pivots counted from 1: of A = P L U."""
    m, n = a.shape[-2:]
    k = min(m, n)
    rows = torch.arange(m, device=a.device).expand(list(a.shape[:-2]) + [m])
    pivots = []
    for j in range(k):
        re, im = parts(a[..., j:, j])
        best = (torch.abs(re) + torch.abs(im)).detach().argmax(-1, keepdim=True) + j
        order = torch.arange(m, device=a.device)
        places = torch.where(order == j, best, torch.where(order == best, j, order))
        a = make(*(torch.gather(x, -2, places.unsqueeze(-1).expand(a.shape)) for x in parts(a)))
        rows = torch.gather(rows, -1, places.expand(rows.shape))
        pivots.append(best + 1)
        if j + 1 < m:
            pivot = a[..., j:j + 1, j:j + 1]
            none = pivot == 0
            factor = torch.where(none, a[..., j + 1:, j:j + 1],
                                 a[..., j + 1:, j:j + 1] / torch.where(none, torch.ones_like(pivot), pivot))
            right = a[..., j + 1:, j + 1:] - factor * a[..., j:j + 1, j + 1:]
            below = torch.cat([a[..., j + 1:, :j], factor, right], -1)
            a = torch.cat([a[..., :j + 1, :], below], -2)
    empty = torch.zeros(list(a.shape[:-2]) + [0], dtype=torch.int64, device=a.device)
    return a, rows, (torch.cat(pivots, -1) if pivots else empty).to(torch.int32)


def triangles(packed):
    """L with ones on its diagonal, and U."""
    m, n = packed.shape[-2:]
    k = min(m, n)
    one = make(eye(m, packed)[:, :k], None)
    return torch.tril(packed[..., :, :k], -1) + one, torch.triu(packed[..., :k, :])


def permutation(rows, like):
    """P of A = P L U: row rows[i] of A is row i of L U."""
    m = rows.shape[-1]
    return (torch.arange(m, device=rows.device).unsqueeze(-1) == rows.unsqueeze(-2)).to(like.dtype)


def rows_of(pivots, m):
    rows = torch.arange(m, device=pivots.device).expand(list(pivots.shape[:-1]) + [m])
    for j in range(pivots.shape[-1]):
        best = pivots[..., j:j + 1].to(torch.int64) - 1
        order = torch.arange(m, device=pivots.device)
        places = torch.where(order == j, best, torch.where(order == best, j, order))
        rows = torch.gather(rows, -1, places.expand(rows.shape))
    return rows


def singular_first(packed):
    """LAPACK's info: the first zero on the diagonal of U, counted from 1."""
    none = packed.diagonal(0, -2, -1) == 0
    count = torch.arange(1, none.shape[-1] + 1, device=packed.device)
    last = none.shape[-1] + 1
    first = torch.where(none, count, last).amin(-1) if none.shape[-1] else torch.full(none.shape[:-1], last)
    return torch.where(first == last, 0, first).to(torch.int32)


def read_lower(a, hermitian):
    """The whole matrix whose lower triangle is a's."""
    low = torch.tril(a, -1)
    diagonal = a.diagonal(0, -2, -1)
    if hermitian:
        diagonal = make(parts(diagonal)[0], None)
    return low + (adjoint(low) if hermitian else low.mT) + torch.diag_embed(diagonal)


def exchanged(a, i, j):
    """Rows i[..] and j[..] exchanged, and columns."""
    order = torch.arange(a.shape[-1], device=a.device)
    places = torch.where(order == i.unsqueeze(-1), j.unsqueeze(-1), torch.where(order == j.unsqueeze(-1), i.unsqueeze(-1), order))
    rows, columns = places.unsqueeze(-1).expand(a.shape), places.unsqueeze(-2).expand(a.shape)
    return make(*(torch.gather(torch.gather(x, -2, rows), -1, columns) for x in parts(a)))


def block_factors(a, hermitian):
    """LAPACK's zsytf2 and zhetf2 of the lower triangle: L below D in one, the pivots counted from 1, negative where two
    rows share a block, and the first row whose block is zero (counted from 1; 0: none). Bunch and Kaufman 1977."""
    n = a.shape[-1]
    alpha = (1 + 17 ** 0.5) / 8
    order = torch.arange(n, device=a.device)
    turn = adjoint if hermitian else views.mT
    other = conj if hermitian else (lambda x: x)
    rest = read_lower(a, hermitian)
    second = torch.zeros(a.shape[:-2], dtype=torch.bool, device=a.device)
    info = torch.zeros(a.shape[:-2], dtype=torch.int32, device=a.device)
    columns, pivots = [], []
    weights = lambda x: sum(torch.abs(part) for part in both(x))
    for k in range(n):
        sizes = weights(rest)
        below = torch.where(order > k, sizes[..., :, k], -1.0)
        largest, at = below.max(-1)
        largest = torch.clamp(largest, min=0)
        across = torch.gather(sizes, -2, at[..., None, None].expand(list(sizes.shape[:-2]) + [1, n])).squeeze(-2)
        own = torch.gather(across, -1, at.unsqueeze(-1)).squeeze(-1)
        apart = torch.where((order >= k) & (order != at.unsqueeze(-1)), across, 0.0).amax(-1)
        mine = sizes[..., k, k]
        none = torch.maximum(mine, largest) == 0
        stays = none | (mine >= alpha * largest) | (mine * apart >= alpha * largest * largest)
        pairs = ~stays & (own < alpha * apart) & ~second
        info = torch.where((info == 0) & none & ~second, k + 1, info)
        to = torch.where(stays, k, at)
        where = k + pairs.to(torch.int64)
        moved = exchanged(rest, torch.where(second, 0, where), torch.where(second, 0, to))
        d = moved[..., k:k + 1, k:k + 1]
        first = moved[..., :, k:k + 1]
        behind = (order > k).unsqueeze(-1)
        zero = torch.zeros_like(first)
        low = torch.where(behind, torch.where(d == 0, zero, first / torch.where(d == 0, torch.ones_like(d), d)), zero)
        one = moved - products.matmul(low, torch.where(order > k, turn(first), torch.zeros_like(turn(first))))
        single = torch.where(behind, low, torch.where((order == k).unsqueeze(-1), d, zero))
        if k + 1 < n:
            next = moved[..., :, k + 1:k + 2]
            e, c = moved[..., k + 1:k + 2, k + 1:k + 2], moved[..., k + 1:k + 2, k:k + 1]
            det = d * e - c * other(c)
            det = torch.where(pairs[..., None, None], det, torch.ones_like(det))
            behind = (order > k + 1).unsqueeze(-1)
            left = torch.where(behind, (first * e - next * c) / det, zero)
            right = torch.where(behind, (next * d - first * other(c)) / det, zero)
            two = moved - products.matmul(left, turn(first)) - products.matmul(right, turn(next))
            chosen = pairs[..., None, None]
            block = torch.where((order == k).unsqueeze(-1), d, torch.where((order == k + 1).unsqueeze(-1), c, left))
            column = torch.where(chosen, block, single)
            follows = torch.where((order == k + 1).unsqueeze(-1), e, right)
            one = torch.where(chosen, two, one)
        else:
            column, follows = single, zero
        seconds = second[..., None, None]
        columns.append(torch.where(seconds, columns[-1][1], column) if k else column)
        columns[-1] = (columns[-1], follows)
        rest = torch.where(seconds, rest, one)
        pivot = torch.where(pairs, -(to + 1), to + 1)
        pivots.append(torch.where(second, pivots[-1], pivot) if k else pivot)
        second = pairs
    empty = torch.zeros(list(a.shape[:-2]) + [0], dtype=torch.int64, device=a.device)
    packed = torch.cat([column for column, follows in columns], -1) if columns else a
    return packed, (torch.stack(pivots, -1) if pivots else empty).to(torch.int32), info.to(torch.int32)


def of_blocks(packed, pivots, hermitian):
    """The matrix of block_factors."""
    n = packed.shape[-1]
    order = torch.arange(n, device=packed.device)
    turn = adjoint if hermitian else views.mT
    other = conj if hermitian else (lambda x: x)
    seconds = [torch.zeros(pivots.shape[:-1], dtype=torch.bool, device=packed.device)]
    for k in range(1, n):
        seconds.append((pivots[..., k] < 0) & (pivots[..., k - 1] < 0) & ~seconds[-1])
    whole = torch.zeros_like(packed)
    for k in reversed(range(n)):
        pairs = (pivots[..., k] < 0) & ~seconds[k]
        at = lambda j: (order == j).unsqueeze(-1).to(P(packed).dtype)
        behind = torch.where(pairs, k + 1, k)[..., None, None]
        below = order.unsqueeze(-1) > behind
        column = packed[..., :, k:k + 1]
        zero = torch.zeros_like(column)
        d = packed[..., k:k + 1, k:k + 1]
        v = torch.where(below, column, zero) + at(k)
        sum = whole + products.matmul(v * d, turn(v))
        if k + 1 < n:
            c, e = packed[..., k + 1:k + 2, k:k + 1], packed[..., k + 1:k + 2, k + 1:k + 2]
            w = torch.where(below, packed[..., :, k + 1:k + 2], zero) + at(k + 1)
            both = sum + products.matmul(w * c, turn(v)) + products.matmul(v * other(c), turn(w))
            both = both + products.matmul(w * e, turn(w))
            sum = torch.where(pairs[..., None, None], both, sum)
        to = pivots[..., k].to(torch.int64).abs() - 1
        second = seconds[k]
        where = k + pairs.to(torch.int64)
        sum = exchanged(sum, torch.where(second, 0, where), torch.where(second, 0, to))
        whole = torch.where(second[..., None, None], whole, sum)
    return whole


def skew(a):
    return a - adjoint(a)


class _Hermitian(torch.autograd.Function):
    """Eigenvalues and vectors, on pairs. Source of the gradient: as torch.linalg.eigh's (FunctionsManual.cpp)."""

    @staticmethod
    def forward(ctx, pairs):
        a = C(pairs)
        values, vectors = torch.linalg.eigh(embedded(a))
        vectors, values = independent(whole(vectors), values)
        vectors = P(vectors)
        ctx.save_for_backward(values, vectors)
        return values, vectors

    @staticmethod
    def backward(ctx, of_values, of_vectors):
        values, vectors = ctx.saved_tensors
        v = C(vectors)
        apart = values.unsqueeze(-2) - values.unsqueeze(-1)
        same = torch.eye(values.shape[-1], dtype=torch.bool, device=values.device)
        inner = products.matmul(adjoint(v), C(of_vectors.contiguous()))
        inner = torch.where(same, make(torch.diag_embed(of_values), None), inner / torch.where(same, 1, apart))
        return P(products.matmul(products.matmul(v, inner), adjoint(v)))


class _Cholesky(torch.autograd.Function):
    """Column by column, on pairs: L, or its adjoint, and where its first pivot is not positive. Source of the gradient: as
    torch.linalg.cholesky's (FunctionsManual.cpp)."""

    @staticmethod
    def forward(ctx, pairs, upper):
        a = adjoint(C(pairs)) if upper else C(pairs)
        columns, info = [], torch.zeros(a.shape[:-2], dtype=torch.int32, device=a.device)
        for k in range(a.shape[-1]):
            pivot = parts(a[..., :1, :1])[0]
            info = torch.where((info == 0) & ~(pivot[..., 0, 0] > 0), k + 1, info)
            column = a[..., :, :1] / torch.sqrt(pivot)
            column = torch.cat([make(parts(column[..., :1, :])[0], None), column[..., 1:, :]], -2)
            columns.append(torch.cat([torch.zeros_like(column[..., -1:, :]) for i in range(k)] + [column], -2))
            rest = column[..., 1:, :]
            a = a[..., 1:, 1:] - products.matmul(rest, adjoint(rest))
        low = torch.cat(columns, -1) if columns else C(pairs.clone())
        ctx.save_for_backward(P(low))
        ctx.upper = upper
        return P(adjoint(low) if upper else low), info.to(torch.int32)

    @staticmethod
    def backward(ctx, grad, none):
        found, = ctx.saved_tensors
        low = C(found)
        grad = C(grad.contiguous())
        inner = torch.tril(products.matmul(adjoint(low), adjoint(grad) if ctx.upper else grad))
        inner = (inner + adjoint(torch.tril(inner, -1))) * 0.5
        inner = torch.linalg.solve(adjoint(low), inner)
        return P(torch.linalg.solve(low, inner, left=False)), None


class _PseudoInverse(torch.autograd.Function):
    """From singular values, or eigenvalues, on pairs. Source of the gradient: as torch.linalg.pinv's."""

    @staticmethod
    def forward(ctx, pairs, hermitian, atol, rtol):
        a = C(pairs)
        default = max(a.shape[-2:]) * torch.finfo(pairs.dtype).eps
        if hermitian:
            values, v = matrices.linalg_eigh(a)
            u, s = v * torch.sign(values).unsqueeze(-2), torch.abs(values)
            largest = s.amax(-1, True)
        else:
            u, s, vh = svd_of(a)
            v, largest = adjoint(vh), s[..., :1]
        kept = s > tolerance(largest, atol, rtol, default)
        inverse = torch.where(kept, 1 / torch.where(kept, s, 1), 0).unsqueeze(-2)
        found = P(products.matmul(v * inverse, adjoint(u)))
        ctx.save_for_backward(pairs, found)
        return found

    @staticmethod
    def backward(ctx, grad):
        pairs, found = ctx.saved_tensors
        a, inverse, g = C(pairs), C(found), adjoint(C(grad.contiguous()))
        to, mm = adjoint(inverse), products.matmul
        if a.shape[-2] <= a.shape[-1]:
            k = mm(g, inverse)
            kt = mm(k, to)
            total = kt - adjoint(mm(inverse, k)) - mm(mm(a, inverse), kt) + mm(mm(to, inverse), g - mm(k, a))
        else:
            k = mm(inverse, g)
            tk = mm(to, k)
            total = tk - adjoint(mm(k, inverse)) + mm(mm(g - mm(a, k), inverse), to) - mm(mm(tk, inverse), a)
        return P(total), None, None, None


class _Singular(torch.autograd.Function):
    """U, S, V^H of a matrix with at least as many rows as columns, on pairs; U with all columns where \p full. Source of
    the gradient: as torch.linalg.svd's (FunctionsManual.cpp)."""

    @staticmethod
    def forward(ctx, pairs, full):
        a = C(pairs)
        m, n = a.shape[-2:]
        _, s, right = torch.linalg.svd(embedded(a), full_matrices=False)
        v, s = independent(whole(right.mT), s)
        packed, tau = reflected(products.matmul(a, v))
        u = turned_by(packed, tau, leading(packed, m if full else n))
        below = parts(packed.diagonal(0, -2, -1))[0] < 0
        sign = torch.where(below, -1.0, 1.0).to(s.dtype).unsqueeze(-2)
        u = torch.cat([u[..., :n] * sign, u[..., n:]], -1) if full else u * sign
        u, vh = P(u), P(adjoint(v))
        ctx.save_for_backward(u, s, vh)
        return u, s, vh

    @staticmethod
    def backward(ctx, of_u, of_s, of_vh):
        u, s, vh = ctx.saved_tensors
        n = s.shape[-1]
        u, of_u = C(u)[..., :n], C(of_u.contiguous())[..., :n]
        vh, of_vh = C(vh), C(of_vh.contiguous())
        ugu, vgv = skew(products.matmul(adjoint(u), of_u)), skew(products.matmul(vh, adjoint(of_vh)))
        squares = s * s
        apart = squares.unsqueeze(-2) - squares.unsqueeze(-1)
        same = torch.eye(n, dtype=torch.bool, device=s.device)
        inner = (ugu * s.unsqueeze(-2) + vgv * s.unsqueeze(-1)) / torch.where(same, 1, apart)
        diagonal = make(of_s, None) + ugu.diagonal(0, -2, -1) / (2 * s)
        inner = torch.where(same, torch.diag_embed(diagonal), inner)
        if u.shape[-2] > n:
            outer = of_u / s.unsqueeze(-2)
            inner = products.matmul(u, inner) + outer - products.matmul(u, products.matmul(adjoint(u), outer))
            return P(products.matmul(inner, vh)), None
        return P(products.matmul(products.matmul(u, inner), vh)), None


def svd_of(a, full=False):
    if a.shape[-2] >= a.shape[-1]:
        u, s, vh = _Singular.apply(P(a), full)
        return C(u), s, C(vh)
    u, s, vh = svd_of(adjoint(a), full)
    return adjoint(vh), s, adjoint(u)


def values_of(a):
    """Singular values with a gradient."""
    return svd_of(a)[1]


def tolerance(largest, atol, rtol, default):
    """PyTorch's: what is given, else relative where nothing absolute is."""
    if rtol is None:
        zero = atol is None or not torch.is_tensor(atol) and atol == 0
        rtol = default if zero else torch.where(atol > 0, 0.0, default) if torch.is_tensor(atol) else 0.0
    relative = largest * (rtol.unsqueeze(-1) if torch.is_tensor(rtol) and rtol.dim() else rtol)
    absolute = 0.0 if atol is None else atol.unsqueeze(-1) if torch.is_tensor(atol) and atol.dim() else atol
    return torch.maximum(relative, torch.zeros_like(relative) + absolute)


class matrices:
    def linalg_inv(a):
        n = a.shape[-1]
        return taken(torch.linalg.inv(embedded(a)), n, n)

    inverse = linalg_inv

    def linalg_inv_ex(a, *, check_errors=False):
        found, info = torch.linalg.inv_ex(embedded(a), check_errors=check_errors)
        return torch.return_types.linalg_inv_ex((taken(found, a.shape[-1], a.shape[-1]), info))

    def linalg_solve(a, b, *, left=True):
        if not left:
            return views.mT(matrices.linalg_solve(views.mT(a), views.mT(b)))
        vector = b.dim() == 1 or b.dim() == a.dim() - 1 and b.shape == a.shape[:-1]
        right = b.unsqueeze(-1) if vector else b
        re, im = both(right)
        found = torch.linalg.solve(embedded(a), torch.cat([re, im], -2))
        n = a.shape[-1]
        found = make(found[..., :n, :], found[..., n:, :])
        return found.squeeze(-1) if vector else found

    def linalg_solve_ex(a, b, *, left=True, check_errors=False):
        info = matrices.linalg_inv_ex(a, check_errors=check_errors)[1]
        return torch.return_types.linalg_solve_ex((matrices.linalg_solve(a, b, left=left), info))

    def linalg_solve_triangular(a, b, *, upper, left=True, unitriangular=False):
        a = torch.triu(a) if upper else torch.tril(a)
        if unitriangular:
            a = a - torch.diag_embed(a.diagonal(0, -2, -1)) + torch.eye(a.shape[-1], dtype=P(a).dtype, device=a.device)
        if not left:
            return views.mT(matrices.linalg_solve(views.mT(a), views.mT(b)))
        return matrices.linalg_solve(a.expand(list(b.shape[:-2]) + list(a.shape[-2:])) if b.dim() > a.dim() else a, b)

    def linalg_tensorinv(a, ind=2):
        count = 1
        for n in a.shape[ind:]:
            count *= n
        return matrices.linalg_inv(a.reshape(count, -1)).reshape(list(a.shape[ind:]) + list(a.shape[:ind]))

    def linalg_tensorsolve(a, b, dims=None):
        if dims is not None:
            a = a.movedim(dims, list(range(a.dim() - len(dims), a.dim())))
        sizes = list(a.shape[b.dim():])
        return matrices.linalg_solve(a.reshape(b.numel(), -1), b.reshape(-1)).reshape(sizes)

    def linalg_cond(a, p=None):
        if p in (None, 2, -2):
            values = matrices.linalg_svdvals(a)
            return values[..., -1] / values[..., 0] if p == -2 else values[..., 0] / values[..., -1]
        return torch.linalg.matrix_norm(a, p) * torch.linalg.matrix_norm(matrices.linalg_inv(a), p)

    def linalg_matrix_exp(a):
        return taken(torch.linalg.matrix_exp(embedded(a)), a.shape[-1], a.shape[-1])

    matrix_exp = linalg_matrix_exp

    def linalg_eigh(a, UPLO="L"):
        if a.shape[-1] == 0:
            return torch.return_types.linalg_eigh((parts(a.diagonal(0, -2, -1))[0], views.clone(a)))
        values, vectors = _Hermitian.apply(P(hermitian(a, UPLO in ("U", "u"))))
        return torch.return_types.linalg_eigh((values, C(vectors)))

    def linalg_eigvalsh(a, UPLO="L"):
        return matrices.linalg_eigh(a, UPLO)[0]

    def linalg_svd(a, full_matrices=True, *, driver=None):
        return torch.return_types.linalg_svd(svd_of(a, full_matrices))

    def svd(a, some=True, compute_uv=True):
        u, s, vh = svd_of(a, not some)
        if not compute_uv:
            m, n = a.shape[-2:]
            u, vh = (a.new_zeros(list(a.shape[:-2]) + [k, k]) for k in (m, n))
        return torch.return_types.svd((u, s, adjoint(vh)))

    def linalg_svdvals(a, *, driver=None):
        return values_of(a)

    def linalg_qr(a, mode="reduced"):
        m, n = a.shape[-2:]
        k = min(m, n)
        packed, tau = reflected(a)
        count = m if mode == "complete" else k
        r = torch.triu(packed[..., :count, :])
        if mode == "r":
            return torch.return_types.linalg_qr((a.new_empty([0]), r))
        return torch.return_types.linalg_qr((turned_by(packed, tau, leading(packed, count)), r))

    def qr(a, some=True):
        return torch.return_types.qr(tuple(matrices.linalg_qr(a, "reduced" if some else "complete")))

    def geqrf(a):
        return torch.return_types.geqrf(reflected(a))

    def linalg_householder_product(a, tau):
        return turned_by(a, tau, leading(a, a.shape[-1]))

    orgqr = linalg_householder_product

    def ormqr(a, tau, other, left=True, transpose=False):
        if left:
            return turned_by(a, tau, other, transpose)
        return adjoint(turned_by(a, tau, adjoint(other), not transpose))

    def linalg_cholesky_ex(a, *, upper=False, check_errors=False):
        found, info = _Cholesky.apply(P(a), upper)
        if check_errors and bool((info != 0).any()):
            first = int(info.reshape(-1)[(info.reshape(-1) != 0).to(torch.int32).argmax()])
            raise torch.linalg.LinAlgError(
                "linalg.cholesky: The factorization could not be completed because the input is not "
                f"positive-definite (the leading minor of order {first} is not positive-definite).")
        return torch.return_types.linalg_cholesky_ex((C(found), info))

    def linalg_cholesky(a, *, upper=False):
        return matrices.linalg_cholesky_ex(a, upper=upper, check_errors=True)[0]

    def cholesky(a, upper=False):
        return matrices.linalg_cholesky(a, upper=upper)

    def product_of(factor, upper):
        """Of one triangle and its adjoint; the gradient is that of the whole, as PyTorch's is."""
        low = factor + ((torch.triu(factor) if upper else torch.tril(factor)) - factor).detach()
        return products.matmul(adjoint(low), low) if upper else products.matmul(low, adjoint(low))

    def cholesky_solve(b, factor, upper=False):
        return torch.linalg.solve(matrices.product_of(factor, upper), b)

    def cholesky_inverse(factor, upper=False):
        return torch.linalg.inv(matrices.product_of(factor, upper))

    def triangular_solve(b, a, upper=True, transpose=False, unitriangular=False):
        t = torch.triu(a) if upper else torch.tril(a)
        if transpose:
            t, upper = t.mT, not upper
        found = torch.linalg.solve_triangular(t, b, upper=upper, unitriangular=unitriangular)
        return torch.return_types.triangular_solve((found, views.clone(a)))

    def linalg_lu_factor_ex(a, *, pivot=True, check_errors=False):
        if not pivot:
            raise NotImplementedError("linalg.lu_factor: complex matrices without exchanged rows are not implemented")
        packed, rows, pivots = eliminated(a)
        return torch.return_types.linalg_lu_factor_ex((packed, pivots, singular_first(packed)))

    def linalg_lu_factor(a, *, pivot=True):
        return torch.return_types.linalg_lu_factor(tuple(matrices.linalg_lu_factor_ex(a, pivot=pivot))[:2])

    def lu_unpack(packed, pivots, unpack_data=True, unpack_pivots=True):
        none = packed.new_empty([0])
        low, up = triangles(packed) if unpack_data else (none, none)
        p = permutation(rows_of(pivots, packed.shape[-2]), packed) if unpack_pivots else none
        return torch.return_types.lu_unpack((p, low, up))

    def linalg_lu(a, *, pivot=True):
        packed, pivots, info = matrices.linalg_lu_factor_ex(a, pivot=pivot)
        return torch.return_types.linalg_lu(tuple(matrices.lu_unpack(packed, pivots)))

    def linalg_lu_solve(packed, pivots, b, *, left=True, adjoint=False):
        p, low, up = matrices.lu_unpack(packed, pivots)
        a = products.matmul(products.matmul(p, low), up)
        a = conj(a.mT) if adjoint else a
        sizes = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        a, b = a.expand(list(sizes) + list(a.shape[-2:])), b.expand(list(sizes) + list(b.shape[-2:]))
        return torch.linalg.solve(a, b, left=left)

    def lu_solve(b, packed, pivots):
        return matrices.linalg_lu_solve(packed, pivots, b)

    def linalg_det(a):
        packed, rows, pivots = eliminated(a)
        return packed.diagonal(0, -2, -1).prod(-1) * matrices.sign(pivots, packed)

    det = linalg_det

    def sign(pivots, packed):
        """+1 or -1: how many rows were exchanged."""
        at = torch.arange(1, pivots.shape[-1] + 1, device=pivots.device)
        return (1 - 2 * ((pivots != at).sum(-1) % 2)).to(P(packed).dtype)

    def linalg_slogdet(a):
        packed, rows, pivots = eliminated(a)
        diagonal = packed.diagonal(0, -2, -1)
        sign = torch.sgn(diagonal).prod(-1) * matrices.sign(pivots, packed)
        return torch.return_types.linalg_slogdet((sign, torch.log(torch.abs(diagonal)).sum(-1)))

    def slogdet(a):
        return torch.return_types.slogdet(tuple(matrices.linalg_slogdet(a)))

    def logdet(a):
        return torch.log(matrices.linalg_det(a))

    def linalg_pinv(a, rcond=None, hermitian=False, *, atol=None, rtol=None):
        rtol = rcond if rtol is None else rtol
        if 0 in a.shape[-2:]:
            return make(*(x.mT for x in parts(a)))
        return C(_PseudoInverse.apply(P(a), hermitian, atol, rtol))

    def pinverse(a, rcond=1e-15):
        return matrices.linalg_pinv(a, rcond)

    def linalg_matrix_rank(a, tol=None, hermitian=False, *, atol=None, rtol=None):
        values = torch.abs(matrices.linalg_eigvalsh(a)) if hermitian else values_of(a)
        if values.shape[-1] == 0:
            return values.sum(-1).to(torch.int64)
        eps = max(a.shape[-2:]) * torch.finfo(values.dtype).eps
        return (values > tolerance(values.amax(-1, True), tol if atol is None else atol, rtol, eps)).sum(-1)

    def linalg_lstsq(a, b, rcond=None, *, driver=None):
        m, n = a.shape[-2:]
        vector = b.dim() == 1 or b.dim() == a.dim() - 1 and b.shape == a.shape[:-1]
        right = b.unsqueeze(-1) if vector else b
        found = products.matmul(matrices.linalg_pinv(a, rcond), right)
        apart = size(products.matmul(a, found) - right).sum(-2)
        rank = matrices.linalg_matrix_rank(a, rtol=rcond)
        known = m > n and driver != "gelsy" and bool((rank == n).all())
        nothing = torch.empty([0], dtype=P(a).dtype)
        return torch.return_types.linalg_lstsq((
            found.squeeze(-1) if vector else found, apart if known else nothing,
            torch.empty([0], dtype=torch.int64) if driver == "gels" else rank,
            values_of(a) if driver in ("gelss", "gelsd") else nothing))

    def linalg_ldl_factor_ex(a, *, hermitian=False, check_errors=False):
        packed, pivots, info = block_factors(a, hermitian)
        if check_errors and bool((info != 0).any()):
            first = int(info.reshape(-1)[(info.reshape(-1) != 0).to(torch.int32).argmax()])
            raise torch.linalg.LinAlgError(
                "linalg.ldl_factor: The factorization could not be completed because the block of D at row "
                f"{first} is zero.")
        return torch.return_types.linalg_ldl_factor_ex((packed, pivots, info))

    def linalg_ldl_factor(a, *, hermitian=False):
        found = matrices.linalg_ldl_factor_ex(a, hermitian=hermitian, check_errors=True)
        return torch.return_types.linalg_ldl_factor(tuple(found)[:2])

    def linalg_ldl_solve(packed, pivots, b, *, hermitian=False):
        a = of_blocks(packed, pivots, hermitian)
        sizes = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        a, b = a.expand(list(sizes) + list(a.shape[-2:])), b.expand(list(sizes) + list(b.shape[-2:]))
        return torch.linalg.solve(a, b)

    def linalg_polar(a):
        u, s, vh = svd_of(a)
        return torch.return_types.linalg_polar((products.matmul(u, vh),
                                                products.matmul(adjoint(vh) * s.unsqueeze(-2), vh)))

    def linalg_matrix_sqrth(a, UPLO="L"):
        values, v = matrices.linalg_eigh(a, UPLO)
        return products.matmul(v * torch.sqrt(values).unsqueeze(-2), adjoint(v))


tables.append(matrices)
