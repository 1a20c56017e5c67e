import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  distanceBetween,
  type Footprint,
  placed,
  rectangle,
} from '../../../bindings/observations/trace/footprint.js';

const square = (x: number, y: number): Footprint => rectangle({ x, y, heading: 0 }, -1, 1, 2);

it.each([
  ['side by side', square(5, 0), 3],
  ['corner to corner', square(5, 6), 5],
  ['that touch', square(2, 0), 0],
  ['that cross', rectangle({ x: 0, y: 0, heading: 1 }, -9, 9, 0.5), 0],
  ['one in the other', rectangle({ x: 0, y: 0, heading: 1 }, -0.1, 0.1, 0.1), 0],
  ['the other in the one', rectangle({ x: 0, y: 0, heading: 2 }, -9, 9, 18), 0],
])('measures between two polygons, %s', (_, other, distance) => {
  expect(Math.abs(distanceBetween(square(0, 0), other) - distance)).toBeLessThan(1e-12);
});

it('puts corners ahead and to the left of where a vehicle heads', () => {
  const [[x, y]] = placed({ x: 10, y: 20, heading: Math.PI / 2 }, [[3, 1]]);
  expect([x, y].map((value) => Number(value.toFixed(12)))).toEqual([9, 23]);
});

it('is never more than between any two of their points, and the same in both directions', () => {
  const vehicle = fc.record({
    x: fc.double({ min: -20, max: 20, noNaN: true }),
    y: fc.double({ min: -20, max: 20, noNaN: true }),
    heading: fc.double({ min: -4, max: 4, noNaN: true }),
  });
  const inside = fc.tuple(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  fc.assert(
    fc.property(vehicle, vehicle, inside, inside, (one, other, [a, b], [c, d]) => {
      const [p, q] = [one, other].map((at) => rectangle(at, -2, 3, 2));
      const distance = distanceBetween(p, q);
      expect(distanceBetween(q, p)).toBe(distance);
      const [[px, py]] = placed(one, [[5 * a - 2, 2 * b - 1]]);
      const [[qx, qy]] = placed(other, [[5 * c - 2, 2 * d - 1]]);
      expect(distance).toBeLessThanOrEqual(Math.hypot(px - qx, py - qy) + 1e-9);
    }),
  );
});
