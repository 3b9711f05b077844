import { fullDayText } from '#web/shared/ui/date-text.ts';

/** A line for each day. The owner reads nothing else about who has withdrawn their details. */
export function Withdrawn({ times }: { readonly times: readonly string[] }) {
  const days = new Map<string, number>();
  for (const time of times) {
    const day = fullDayText(new Date(time));
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  return Array.from(days, ([day, count]) => (
    <p key={day} className="note">
      {count === 1 ? 'One contact was withdrawn' : `${count} contacts were withdrawn`}
      {` on ${day}.`}
    </p>
  ));
}
