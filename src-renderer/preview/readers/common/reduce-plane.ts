/** Longest side of a plane that is sent to the page, in values. */
const maxSide = 1024;

/** Reduces a plane by whole factors to at most 1024 values a side; each is the mean of those it stands for. */
export function reducePlane(
  values: ArrayLike<number>,
  width: number,
  height: number,
): { readonly width: number; readonly height: number; readonly values: Float32Array } {
  const [stepX, stepY] = [Math.max(1, Math.ceil(width / maxSide)), Math.max(1, Math.ceil(height / maxSide))];
  const [columns, rows] = [Math.ceil(width / stepX), Math.ceil(height / stepY)];
  const reduced = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      let sum = 0;
      let count = 0;
      for (let y = row * stepY; y < Math.min(height, (row + 1) * stepY); y += 1) {
        for (let x = column * stepX; x < Math.min(width, (column + 1) * stepX); x += 1) {
          const value = values[y * width + x] ?? Number.NaN;
          if (!Number.isFinite(value)) continue;
          sum += value;
          count += 1;
        }
      }
      reduced[row * columns + column] = count === 0 ? Number.NaN : sum / count;
    }
  }
  return { width: columns, height: rows, values: reduced };
}
