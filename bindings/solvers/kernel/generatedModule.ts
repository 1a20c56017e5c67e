import { KernelError } from '../../base/errors.js';

/** An instance of a module generated at run time. It exports functions and one memory, called `memory`. */
export interface GeneratedModule {
  /** The module's exports other than its memory. */
  readonly functions: Readonly<Record<string, (...operands: number[]) => number>>;
  /** The current memory; read it again after `grow`. */
  readonly buffer: ArrayBuffer;
  /** Makes the memory at least `bytes` large; returns false if no more is available. */
  grow(bytes: number): boolean;
}

const PAGE = 65536;

/**
 * Compiles and instantiates a generated module.
 *
 * @param imports the functions that it imports, from module `env`
 * @returns undefined if the runtime has no WebAssembly or does not compile bytes, as in some edge runtimes and pages
 * @throws KernelError for bytes that are not a module
 */
export function instantiateGenerated(
  bytes: Uint8Array<ArrayBuffer>,
  imports: Readonly<Record<string, (...operands: number[]) => number>>,
): GeneratedModule | undefined {
  if (typeof WebAssembly === 'undefined') return undefined;
  let instance: WebAssembly.Instance;
  try {
    instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: imports });
  } catch (error) {
    // Runtimes refuse valid modules with the same CompileError, or with a RangeError if they are large.
    if (WebAssembly.validate(bytes) && !(error instanceof WebAssembly.LinkError)) return undefined;
    throw new KernelError(`a generated module is invalid: ${String(error)}`, { cause: error });
  }
  const { memory, ...functions } = instance.exports;
  const pages = memory as WebAssembly.Memory;
  return {
    functions: functions as GeneratedModule['functions'],
    get buffer() {
      return pages.buffer;
    },
    grow(wanted) {
      const missing = Math.ceil((wanted - pages.buffer.byteLength) / PAGE);
      if (missing <= 0) return true;
      try {
        pages.grow(missing);
        return true;
      } catch {
        return false;
      }
    },
  };
}
