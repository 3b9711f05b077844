// The colours of the light theme (tokens.css), for pictures and passes, which have no dark mode.
export const PAPER = '#fbfaf7';
export const INK = '#16181d';
export const MUTED = '#6b6a66';
