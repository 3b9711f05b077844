const TIME = { hour: 'numeric', minute: '2-digit' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;
const DAY_OF_YEAR = { ...DAY, year: 'numeric' } as const;

/** In English: 'Today, 9:41 AM', '3 Nov, 9:41 AM' or '3 Nov 2025'. */
export function arrivalText(date: Date, now: Date): string {
  const time = date.toLocaleTimeString('en-IN', TIME);
  if (date.toDateString() === now.toDateString()) return `Today, ${time}`;
  if (date.getFullYear() === now.getFullYear()) {
    return `${date.toLocaleDateString('en-IN', DAY)}, ${time}`;
  }
  return date.toLocaleDateString('en-IN', DAY_OF_YEAR);
}
