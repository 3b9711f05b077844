import { SupportLink } from './policy.tsx';
import type { PolicySection } from './policy.tsx';

/** The sections on people's rights, at the end of the privacy policy. */
export const privacyRights: readonly PolicySection[] = [
  {
    id: 'removal',
    heading: 'How to see, correct or remove your data',
    body: (facts) => (
      <>
        <p>
          <strong>You own a card.</strong> Correct it under Edit Profile; the public card changes at
          once. To have a copy of what we hold, or to have your account, card, photo and contacts
          removed, write to <SupportLink facts={facts} /> and name your login phone number. We ask
          you to confirm it with a one-time code, so that nobody else can remove your card.
        </p>
        <p>
          <strong>You left your details on somebody’s card.</strong> Write to{' '}
          <SupportLink facts={facts} /> with the link of the card and the details that you left. We
          remove them from the owner’s list. A copy that the owner has already made is out of our
          reach; please ask them too.
        </p>
        <p>
          We act on such a request within 30 days. After that, traces can remain in backups for at
          most another 30 days, and are not used for anything else.
        </p>
      </>
    ),
  },
  {
    id: 'security',
    heading: 'How it is protected',
    body: () => (
      <p>
        Session tokens and one-time codes are stored only as hashes. Every change to a card is
        checked against its owner’s session. Uploaded pictures are decoded and drawn anew before
        anybody gets to see them. No system is perfect: should a breach concern your data, we tell
        you and the authorities as the law requires.
      </p>
    ),
  },
  {
    id: 'age',
    heading: 'Minimum age',
    body: ({ productName }) => (
      <p>
        {productName} is for people who are at least 14 years old, or who have reached the local age
        of majority where the law where they live asks for that. We do not knowingly keep data of
        anybody younger, and remove it when we learn of it.
      </p>
    ),
  },
  {
    id: 'changes',
    heading: 'Changes to this policy',
    body: () => (
      <p>
        When this policy changes, the new text stands here with a new effective date. A change that
        takes away from your privacy is announced before it takes effect.
      </p>
    ),
  },
  {
    id: 'contact',
    heading: 'Law and contact',
    body: (facts) => (
      <p>
        This policy is governed by Indian law; disputes are settled in the courts of{' '}
        {facts.jurisdictionState}, India. Questions and complaints about your data:{' '}
        <SupportLink facts={facts} />.
      </p>
    ),
  },
];
