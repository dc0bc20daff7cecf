import { nativeImage, type NativeImage, type WebContents } from 'electron';

/** Starts dragging a file or folder out of the window. */
export function dragOut(contents: WebContents, file: string): void {
  contents.startDrag({ file, icon: dragImage() });
}

const side = 32;

/** The drag image, drawn pixel by pixel: Electron requires one that is not empty. */
function dragImage(): NativeImage {
  const pixels = Buffer.alloc(side * side * 4);
  for (let y = 3; y < side - 3; y += 1) {
    for (let x = 7; x < side - 7; x += 1) {
      const edge = y === 3 || y === side - 4 || x === 7 || x === side - 8;
      pixels.fill(edge ? 0x60 : 0xf4, (y * side + x) * 4, (y * side + x) * 4 + 3);
      pixels[(y * side + x) * 4 + 3] = 0xff;
    }
  }
  return nativeImage.createFromBitmap(pixels, { width: side, height: side });
}
