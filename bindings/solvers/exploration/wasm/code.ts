/** WebAssembly instructions as nested bytes: operands first, as on its stack. */
export type Code = number | readonly Code[];

export type ValueType = 'i32' | 'f64';

export const typeByte: Readonly<Record<ValueType, number>> = { i32: 0x7f, f64: 0x7c };

/** Unsigned LEB128. */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return bytes;
}

/** Signed LEB128 of a 32-bit integer. */
function signed(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value | 0; ; rest >>= 7) {
    const low = rest & 0x7f;
    const isLast = rest >> 6 === 0 || rest >> 6 === -1;
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}

function doubleBytes(value: number): number[] {
  return [...new Uint8Array(new Float64Array([value]).buffer)];
}

const unary =
  (opcode: number) =>
  (operand: Code): Code => [operand, opcode];
const binary =
  (opcode: number) =>
  (left: Code, right: Code): Code => [left, right, opcode];
const load =
  (opcode: number, alignment: number) =>
  (address: Code, offset = 0): Code => [address, opcode, alignment, unsigned(offset)];
const store =
  (opcode: number, alignment: number) =>
  (address: Code, value: Code, offset = 0): Code => [address, value, opcode, alignment, unsigned(offset)];

export const i32 = /* @__PURE__ */ (() =>
  ({
    constant: (value: number): Code => [0x41, signed(value)],
    load: load(0x28, 2),
    store: store(0x36, 2),
    isZero: unary(0x45),
    equal: binary(0x46),
    notEqual: binary(0x47),
    less: binary(0x48),
    lessUnsigned: binary(0x49),
    greater: binary(0x4a),
    greaterUnsigned: binary(0x4b),
    atMost: binary(0x4c),
    atLeast: binary(0x4e),
    atLeastUnsigned: binary(0x4f),
    add: binary(0x6a),
    subtract: binary(0x6b),
    multiply: binary(0x6c),
    remainder: binary(0x6f),
    and: binary(0x71),
    or: binary(0x72),
    xor: binary(0x73),
    shiftLeft: binary(0x74),
    shiftRight: binary(0x76),
    rotateLeft: binary(0x77),
    /** Rounds towards zero; the value must be in the unsigned range. */
    fromDouble: unary(0xab),
  }) as const)();

export const f64 = /* @__PURE__ */ (() =>
  ({
    constant: (value: number): Code => [0x44, doubleBytes(value)],
    load: load(0x2b, 3),
    store: store(0x39, 3),
    equal: binary(0x61),
    notEqual: binary(0x62),
    less: binary(0x63),
    greater: binary(0x64),
    atMost: binary(0x65),
    atLeast: binary(0x66),
    negate: unary(0x9a),
    ceil: unary(0x9b),
    floor: unary(0x9c),
    add: binary(0xa0),
    subtract: binary(0xa1),
    multiply: binary(0xa2),
    divide: binary(0xa3),
    min: binary(0xa4),
    max: binary(0xa5),
    copySign: binary(0xa6),
    fromSigned: unary(0xb7),
    fromUnsigned: unary(0xb8),
  }) as const)();

/** A local variable or parameter of a function. */
export type Local = number;

export const get = (local: Local): Code => [0x20, unsigned(local)];
export const set = (local: Local, value: Code): Code => [value, 0x21, unsigned(local)];
/** Sets the local and yields the value. */
export const tee = (local: Local, value: Code): Code => [value, 0x22, unsigned(local)];

export const call = (callee: { readonly index: number }, ...operands: readonly Code[]): Code => [
  operands,
  0x10,
  unsigned(callee.index),
];

export const giveBack = (value: Code): Code => [value, 0x0f];

export const ifThen = (condition: Code, then: Code): Code => [condition, 0x04, 0x40, then, 0x0b];

export const ifElse = (type: ValueType, condition: Code, then: Code, otherwise: Code): Code => [
  condition,
  0x04,
  typeByte[type],
  then,
  0x05,
  otherwise,
  0x0b,
];

/** `first` if the condition holds; both are evaluated. */
export const select = (first: Code, second: Code, condition: Code): Code => [first, second, condition, 0x1b];

export const whileLoop = (condition: Code, body: Code): Code => [
  0x02,
  0x40,
  0x03,
  0x40,
  condition,
  i32.isZero([]),
  0x0d,
  1,
  body,
  0x0c,
  0,
  0x0b,
  0x0b,
];

/** The bytes in order. */
export function flatten(code: Code, into: number[] = []): number[] {
  if (typeof code === 'number') into.push(code);
  else for (const part of code) flatten(part, into);
  return into;
}
