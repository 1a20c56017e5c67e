import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { vi } from 'vitest';

/** More of them cost time only where work that allocates is to be found out. */
const SETTINGS = 5;
const ATTEMPTS = 8;

export interface Garbage {
  /** How often garbage was collected meanwhile. */
  readonly collections: number;
  /** By how many bytes the heap grew, at least where nothing was collected. */
  readonly grown: number;
}

/**
 * What some work leaves behind on the heap, at best. Work that allocates does so each time; what does not may seem to, for three reasons:
 *
 * - What other work left may be collected at any time.
 * - Code that is still interpreted puts numbers on the heap that optimised code keeps in registers, and on a busy machine the compiler is late. So there
 *   are several attempts.
 * - Which calls the compiler makes part of their callers depends on when it looked at them. Between functions that it left apart, numbers that
 *   are not whole pass over the heap. So the modules are loaded anew a few times, and compiled anew.
 *
 * Files that import this run in a process of their own (vitest.config.ts).
 *
 * @param open imports what is measured, runs it until it is optimised, and returns what prepares an attempt, which is not measured;
 *   that returns the work.
 * @param little how many bytes are as good as none.
 */
export async function garbageOf(open: () => Promise<() => () => void>, little: number): Promise<Garbage> {
  let best: Garbage = { collections: Number.POSITIVE_INFINITY, grown: Number.POSITIVE_INFINITY };
  for (let setting = 0; setting < SETTINGS; setting++) {
    vi.resetModules();
    const prepare = await open();
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const found = await leftBy(prepare());
      if (found.collections === 0 && found.grown <= little) return found;
      if (found.collections < best.collections) best = found;
      else if (found.collections === best.collections && found.grown < best.grown) best = found;
    }
  }
  return best;
}

async function leftBy(work: () => void): Promise<Garbage> {
  const observed: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((entries) => observed.push(...entries.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  const before = getHeapStatistics().used_heap_size;
  const start = performance.now();
  work();
  const end = performance.now();
  const grown = getHeapStatistics().used_heap_size - before;
  // Entries are handed over by the event loop, where the compiler, too, hands over what it made.
  await new Promise((resolve) => setTimeout(resolve, 20));
  observer.disconnect();
  return {
    collections: observed.filter(({ startTime }) => startTime >= start && startTime <= end).length,
    grown,
  };
}
