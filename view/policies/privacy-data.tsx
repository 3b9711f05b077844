import type { PolicyFacts, PolicySection } from './policy.tsx';

interface StoredItem {
  readonly what: string;
  readonly why: string;
  readonly until: string;
}

const UNTIL_REMOVED = 'Until your account is removed';

function storedItems({ sessionDays }: PolicyFacts): readonly StoredItem[] {
  return [
    {
      what: 'Your login phone number',
      why: 'It is how we know that you are you. It is not shown; your card has a phone field of its own, which starts as a copy.',
      until: UNTIL_REMOVED,
    },
    {
      what: 'Your card',
      why: 'Name, designation, company, about text, phone, email and social links: what you choose to fill in.',
      until: 'Until you change it or your account is removed',
    },
    {
      what: 'Your photo',
      why: 'For your card. We draw it anew in the sizes that the card needs and drop what the camera wrote into the file, such as the place where it was taken.',
      until: 'Until you replace it or your account is removed',
    },
    {
      what: 'Contacts that visitors leave',
      why: 'Name, mobile, email and company, for the owner of the card that they were left on.',
      until: 'Until the owner’s account is removed, or the visitor asks us to remove them',
    },
    {
      what: 'Sessions',
      why: 'To keep you signed in. We hold only a hash of the session token, from which the token cannot be worked out.',
      until: `Until you log out, or ${sessionDays} days after the last use; never more than a year`,
    },
    {
      what: 'One-time codes',
      why: 'To verify your phone number when you log in. We hold a keyed hash, not the code.',
      until: 'Good for five minutes; the hash is gone within two hours',
    },
    {
      what: 'Counters against abuse',
      why: 'How often a network address or a phone number asked for something.',
      until: 'About a day; wrong codes typed for a phone number count until a right one is typed',
    },
    {
      what: 'Technical logs',
      why: 'Which address of the service was asked for, when, and whether it worked. No codes, no session tokens and no whole phone numbers.',
      until: 'At most 30 days',
    },
  ];
}

/** The table of stored data. */
export const storedData: PolicySection = {
  id: 'what-we-keep',
  heading: 'What we keep, and for how long',
  body: (facts) => (
    <div className="policy-table">
      <table>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Why</th>
            <th scope="col">For how long</th>
          </tr>
        </thead>
        <tbody>
          {storedItems(facts).map(({ what, why, until }) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td>{why}</td>
              <td>{until}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  ),
};
