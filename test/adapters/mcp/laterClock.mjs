// Sets the clock of a process forward while it runs: node --import laterClock.mjs?file=FILE PROGRAM, with the milliseconds in FILE.
import { readFileSync } from 'node:fs';

const file = new URL(import.meta.url).searchParams.get('file');
const now = performance.now.bind(performance);
performance.now = () => now() + Number(readFileSync(file, 'utf8'));
