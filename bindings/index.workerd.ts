import './kernel/workerd.js';

export * from './core.js';
