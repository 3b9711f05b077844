export const ROOT: string;
export function isBuilt(): boolean;
