import { SupportLink } from './policy.tsx';
import type { PolicySection } from './policy.tsx';

/** The sections on privacy, termination, liability, law and contact. */
export const legalTerms: readonly PolicySection[] = [
  {
    id: 'privacy',
    heading: 'Your data',
    body: () => (
      <p>
        What we keep, for how long, who sees it and how to have it removed is in the{' '}
        <a href="/privacy_policy">privacy policy</a>.
      </p>
    ),
  },
  {
    id: 'ending',
    heading: 'Ending it',
    body: (facts) => (
      <p>
        You can stop at any time and have your account removed by writing to{' '}
        <SupportLink facts={facts} />. We can end an account that breaks these terms, and tell the
        owner why unless the law forbids it. If we ever end the service as a whole, we say so at
        least 30 days before.
      </p>
    ),
  },
  {
    id: 'liability',
    heading: 'What we answer for',
    body: ({ productName }) => (
      <p>
        We run {productName} with care, but cannot promise that it is never interrupted. We do not
        answer for what owners put on their cards, for the sites that their links lead to, or for
        losses that could not be foreseen. Nothing here limits a right that the law gives you as a
        consumer.
      </p>
    ),
  },
  {
    id: 'law',
    heading: 'Law and courts',
    body: ({ jurisdictionState }) => (
      <p>
        These terms are governed by Indian law. Disputes are settled in the courts of{' '}
        {jurisdictionState}, India, and nowhere else. Please write to us first: most things can be
        settled without a court.
      </p>
    ),
  },
  {
    id: 'changes',
    heading: 'Changes to these terms',
    body: () => (
      <p>
        When these terms change, the new text stands here with a new effective date. Going on to use
        the service after that date means agreeing to them.
      </p>
    ),
  },
  {
    id: 'contact',
    heading: 'Contact',
    body: (facts) => (
      <p>
        Write to <SupportLink facts={facts} />. A person reads it.
      </p>
    ),
  },
];
