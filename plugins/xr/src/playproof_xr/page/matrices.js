// 4x4 matrices, column by column, as in WebGL: sixteen numbers each.
const { sqrt } = Math;

const identity = () => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

const multiply = (a, b) => {
  const out = identity();
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + row] * b[4 * column + k];
      out[4 * column + row] = sum;
    }
  }
  return out;
};

// Of a matrix whose last row is 0 0 0 1; null where it flattens space.
const invertAffine = (m) => {
  const cofactor = (a, b, c, d) => m[a] * m[d] - m[b] * m[c];
  const c0 = cofactor(5, 6, 9, 10), c1 = -cofactor(1, 2, 9, 10), c2 = cofactor(1, 2, 5, 6);
  const determinant = m[0] * c0 + m[4] * c1 + m[8] * c2;
  if (!(determinant * determinant > 1e-24)) return null;
  const scale = 1 / determinant;
  const r = [
    c0 * scale, c1 * scale, c2 * scale,
    -cofactor(4, 6, 8, 10) * scale, cofactor(0, 2, 8, 10) * scale, -cofactor(0, 2, 4, 6) * scale,
    cofactor(4, 5, 8, 9) * scale, -cofactor(0, 1, 8, 9) * scale, cofactor(0, 1, 4, 5) * scale,
  ];
  const x = m[12], y = m[13], z = m[14];
  return [
    r[0], r[1], r[2], 0, r[3], r[4], r[5], 0, r[6], r[7], r[8], 0,
    -(r[0] * x + r[3] * y + r[6] * z), -(r[1] * x + r[4] * y + r[7] * z), -(r[2] * x + r[5] * y + r[8] * z), 1,
  ];
};

// From a place and a unit quaternion.
const compose = (p, q) => {
  const x = q[0], y = q[1], z = q[2], w = q[3];
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0,
    2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0,
    2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0,
    p[0], p[1], p[2], 1,
  ];
};

// The rotation of a rigid matrix as a quaternion.
const rotationOf = (m) => {
  const trace = m[0] + m[5] + m[10];
  if (trace > 0) {
    const s = 0.5 / sqrt(trace + 1);
    return [(m[6] - m[9]) * s, (m[8] - m[2]) * s, (m[1] - m[4]) * s, 0.25 / s];
  }
  if (m[0] > m[5] && m[0] > m[10]) {
    const s = 2 * sqrt(1 + m[0] - m[5] - m[10]);
    return [0.25 * s, (m[4] + m[1]) / s, (m[8] + m[2]) / s, (m[6] - m[9]) / s];
  }
  if (m[5] > m[10]) {
    const s = 2 * sqrt(1 + m[5] - m[0] - m[10]);
    return [(m[4] + m[1]) / s, 0.25 * s, (m[9] + m[6]) / s, (m[8] - m[2]) / s];
  }
  const s = 2 * sqrt(1 + m[10] - m[0] - m[5]);
  return [(m[8] + m[2]) / s, (m[9] + m[6]) / s, 0.25 * s, (m[1] - m[4]) / s];
};

// --- text of numbers: JSON, but NaN and infinities are spelled out ---

const numberText = (value) => (typeof value === "number" ? (value === 0 ? "0" : toText(value)) : "NaN");
const numbersText = (list, count) => {
  let text = "[";
  for (let index = 0; index < count; index++) text += (index ? "," : "") + numberText(list[index]);
  return text + "]";
};
const stringText = (value) => (typeof value === "string" ? stringify(slice(value, 0, 500)) : "null");
