/** A point on the map, in metres. */
export type Point = readonly [x: number, y: number];

/** A convex polygon; corners are in order. */
export type Footprint = readonly Point[];

/** Position and orientation of an object. */
export interface Placement {
  readonly x: number;
  readonly y: number;
  /** In radians, counterclockwise from the x axis. */
  readonly heading: number;
}

/** The polygon whose corners are given in metres ahead of `from` and to its left. */
export function placed({ x, y, heading }: Placement, corners: readonly Point[]): Footprint {
  const [cos, sin] = [Math.cos(heading), Math.sin(heading)];
  return corners.map(([ahead, left]) => [x + ahead * cos - left * sin, y + ahead * sin + left * cos]);
}

/** The rectangle from `behind` to `ahead` metres along the heading. */
export function rectangle(from: Placement, behind: number, ahead: number, width: number): Footprint {
  const side = width / 2;
  return placed(from, [
    [ahead, side],
    [ahead, -side],
    [behind, -side],
    [behind, side],
  ]);
}

/** The smallest distance between two polygons in metres; 0 if they touch or overlap. */
export function distanceBetween(one: Footprint, other: Footprint): number {
  if (contains(one, other[0]) || contains(other, one[0])) return 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [a, b] of edges(one)) {
    for (const [c, d] of edges(other)) {
      if (cross(a, b, c, d)) return 0;
      least = Math.min(least, toEdge(a, c, d), toEdge(b, c, d), toEdge(c, a, b), toEdge(d, a, b));
    }
  }
  return least;
}

function edges(polygon: Footprint): [Point, Point][] {
  return polygon.map((corner, i) => [corner, polygon[(i + 1) % polygon.length]]);
}

/** Twice the signed area of the triangle: positive if c is to the left of the line from a to b. */
function turn([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

function cross(a: Point, b: Point, c: Point, d: Point): boolean {
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

function contains(polygon: Footprint, point: Point): boolean {
  const turns = edges(polygon).map(([a, b]) => turn(a, b, point));
  return turns.every((t) => t >= 0) || turns.every((t) => t <= 0);
}

function toEdge([px, py]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / length));
  return Math.hypot(px - ax - along * dx, py - ay - along * dy);
}
