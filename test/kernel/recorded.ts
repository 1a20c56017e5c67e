import type { Kernel } from '../../bindings/solvers/kernel/index.js';

/**
 * A kernel that notes the numbers of everything that it and its handles return, bit by bit, and the names of errors; times are
 * left out.
 */
export function recorded(kernel: Kernel, log: string[]): Kernel {
  return recordedHandle(kernel, log);
}

function recordedHandle<Handle extends object>(handle: Handle, log: string[]): Handle {
  return new Proxy(handle, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return isHandle(value) ? recordedHandle(value, log) : value;
      return (...values: unknown[]) => {
        try {
          const result: unknown = value.apply(target, values);
          log.push(`${String(name)}: ${isHandle(result) ? 'a handle' : text(result)}`);
          return isHandle(result) ? recordedHandle(result, log) : result;
        } catch (error) {
          log.push(`${String(name)}: ${error instanceof Error ? error.name : error}`);
          throw error;
        }
      };
    },
  });
}

const isHandle = (value: unknown): value is Disposable =>
  typeof value === 'object' && value !== null && Symbol.dispose in value;

function text(value: unknown): string {
  if (ArrayBuffer.isView(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  }
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .filter(([name]) => name !== 'seconds')
    .map(([name, part]) => `${name}=${text(part)}`)
    .join(' ');
}
