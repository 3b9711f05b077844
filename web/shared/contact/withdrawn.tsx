import { fullDayText } from '#web/shared/ui/date-text.ts';

/** The owner reads nothing else about who has withdrawn their details. */
export function Withdrawn({ times }: { readonly times: readonly string[] }) {
  return times.map((time, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- two can have the same time
    <p key={index} className="withdrawn note">
      {`One contact was withdrawn on ${fullDayText(new Date(time))}.`}
    </p>
  ));
}
