// Sets the clock of a process forward while it runs: node --import ./laterClock.mjs PROGRAM, with the milliseconds in a file that TEST_CLOCK names.
import { readFileSync } from 'node:fs';

const now = performance.now.bind(performance);
performance.now = () => now() + Number(readFileSync(process.env.TEST_CLOCK, 'utf8'));
