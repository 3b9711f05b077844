export const words = (text: string) => text.trim().split(/\s+/);
