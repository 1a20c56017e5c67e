import './kernel/inline.js';

export * from './core.js';
