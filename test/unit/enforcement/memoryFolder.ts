import type { InspectionFolder } from '../../../bindings/runtime/enforcement/index.js';
import { MemoryStorage } from '../storage/memoryStorage.js';

/** A folder of questions in memory. */
export class MemoryFolder extends MemoryStorage implements InspectionFolder {
  async list(): Promise<string[]> {
    return [...this.files.keys()];
  }

  async remove(path: string): Promise<void> {
    this.files.delete(path);
  }
}
