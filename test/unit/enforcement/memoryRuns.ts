import { type RunStore, recordsOf } from '../../../bindings/runtime/enforcement/index.js';

/** Runs in memory, as text. @param before what happens before a record is stored */
export function memoryRuns(before: () => Promise<unknown> = async () => undefined) {
  const runs = new Map<string, string[]>();
  const store: RunStore = {
    read: async (run) =>
      recordsOf(
        run,
        (runs.get(run) ?? []).map((record, position) => ({ position, record })),
      ),
    add: async (run, position, record) => {
      await before();
      const records = runs.get(run) ?? [];
      if (records.length !== position) return false;
      runs.set(run, [...records, JSON.stringify(record)]);
      return true;
    },
  };
  return { store, runs };
}
