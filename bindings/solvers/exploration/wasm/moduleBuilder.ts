import { type Code, flatten, type Local, typeByte, unsigned, type ValueType } from './code.js';

/** A function under construction. Its parameters are the locals 0, 1, … */
export class FunctionBuilder {
  body: Code = [];
  readonly #locals: ValueType[] = [];
  readonly #parameters: number;

  constructor(
    readonly index: number,
    readonly type: number,
    parameters: number,
  ) {
    this.#parameters = parameters;
  }

  /** A new local variable, 0 on entry. */
  local(type: ValueType): Local {
    this.#locals.push(type);
    return this.#parameters + this.#locals.length - 1;
  }

  encode(): number[] {
    const locals = this.#locals.map((type) => [1, typeByte[type]]);
    const code = flatten([vector(locals), this.body, 0x0b]);
    return [...unsigned(code.length), ...code];
  }
}

/** Writes a module in WebAssembly's binary format: functions, imports from `env`, one exported memory, and its contents. */
export class ModuleBuilder {
  readonly #types: number[][] = [];
  readonly #imports: Code[] = [];
  readonly #functions: FunctionBuilder[] = [];
  readonly #exports: Code[] = [];
  readonly #data: Code[] = [];

  /** All imports come before the first function. */
  importFunction(
    name: string,
    parameters: readonly ValueType[],
    result: ValueType,
  ): { readonly index: number } {
    const index = this.#imports.length;
    this.#imports.push([text('env'), text(name), 0x00, unsigned(this.#type(parameters, result))]);
    return { index };
  }

  /** A function whose body can be given later; exported if it has a name. */
  function(parameters: readonly ValueType[], result: ValueType, name?: string): FunctionBuilder {
    const index = this.#imports.length + this.#functions.length;
    const builder = new FunctionBuilder(index, this.#type(parameters, result), parameters.length);
    this.#functions.push(builder);
    if (name !== undefined) this.#exports.push([text(name), 0x00, unsigned(index)]);
    return builder;
  }

  /** Sets the initial content of the memory at `address`. */
  initialise(address: number, bytes: Uint8Array): void {
    this.#data.push([0x00, 0x41, signedAddress(address), 0x0b, unsigned(bytes.length), [...bytes]]);
  }

  encode(memoryPages: number): Uint8Array<ArrayBuffer> {
    const memory: Code = [0x00, unsigned(memoryPages)];
    const exports = [...this.#exports, [text('memory'), 0x02, 0]];
    const functionTypes = this.#functions.map(({ type }) => unsigned(type));
    return Uint8Array.from([
      ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
      ...section(1, this.#types),
      ...section(2, this.#imports),
      ...section(3, functionTypes),
      ...section(5, [memory]),
      ...section(7, exports),
      ...section(
        10,
        this.#functions.map((builder) => builder.encode()),
      ),
      ...section(11, this.#data),
    ]);
  }

  #type(parameters: readonly ValueType[], result: ValueType): number {
    const encoded = flatten([0x60, vector(parameters.map((type) => typeByte[type])), 1, typeByte[result]]);
    const known = this.#types.findIndex((type) => type.join() === encoded.join());
    return known >= 0 ? known : this.#types.push(encoded) - 1;
  }
}

function vector(items: readonly Code[]): Code {
  return [unsigned(items.length), items];
}

function section(id: number, items: readonly Code[]): number[] {
  const content = flatten(vector(items));
  return [id, ...unsigned(content.length), ...content];
}

function text(name: string): Code {
  return vector([...new TextEncoder().encode(name)]);
}

/** Below 2^31, so that its signed form is the unsigned one with a leading 0 bit. */
function signedAddress(address: number): number[] {
  const bytes = unsigned(address);
  const last = bytes.length - 1;
  if ((bytes[last] & 0x40) === 0) return bytes;
  bytes[last] |= 0x80;
  return [...bytes, 0];
}
