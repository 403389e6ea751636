import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineRaster, pixelColour } from '../src/plots/line_raster';

const alphaAt = (raster: LineRaster, x: number, y: number) => raster.pixels[y * raster.width + x]! >>> 24;

test('colours are read as the page writes them', () => {
  assert.equal(pixelColour('#102030'), 0x302010);
  assert.equal(pixelColour('rgb(16,32,48)'), 0x302010);
});

test('a line goes from end to end without a gap, whatever its slope', () => {
  for (const [y0, y1] of [[20, 20], [0, 39], [39, 0], [5, 90], [90, 5], [19.4, 20.6]] as const) {
    const raster = new LineRaster(40, 100);
    raster.line(3, y0, 33, y1, 0x112233, 255);
    let before: number[] = [];
    for (let x = 3; x <= 33; ++x) {
      const rows = Array.from({ length: 100 }, (_, y) => y).filter((y) => alphaAt(raster, x, y) === 255);
      assert.ok(rows.length > 0, `column ${x} from ${y0} to ${y1}`);
      assert.equal(rows[rows.length - 1]! - rows[0]! + 1, rows.length, `a gap in column ${x}`);
      if (before.length) assert.ok(rows.some((y) => before.some((other) => Math.abs(y - other) <= 1)), `a gap before column ${x}`);
      before = rows;
    }
    assert.equal(alphaAt(raster, 1, Math.round(y0)), 0);
    assert.equal(alphaAt(raster, 36, Math.round(y1)), 0);
  }
});

test('what was drawn first stays on top, and edges give way', () => {
  const raster = new LineRaster(10, 10);
  raster.line(0, 4.3, 9, 4.3, 0x0000ff, 200);
  assert.equal(alphaAt(raster, 5, 4), 200);
  assert.ok(alphaAt(raster, 5, 5) > 0 && alphaAt(raster, 5, 5) < 200);
  raster.line(0, 5, 9, 5, 0x00ff00, 200);
  raster.line(0, 4, 9, 4, 0x00ff00, 200);
  assert.equal(raster.pixels[4 * 10 + 5]! & 0xffffff, 0x0000ff);
  assert.equal(raster.pixels[5 * 10 + 5]! & 0xffffff, 0x00ff00);
});

test('lines that leave the picture are cut', () => {
  const raster = new LineRaster(10, 10);
  raster.line(-5, -20, 25, 40, 1, 255);
  raster.line(-5, 200, 25, 300, 1, 255);
  raster.line(2, -8, 3, 30, 1, 255);
  assert.ok(raster.pixels.some((pixel) => pixel !== 0));
  assert.equal(raster.pixels.length, 100);
});
