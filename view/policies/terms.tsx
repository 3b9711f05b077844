import { legalTerms } from './terms-legal.tsx';
import { planTerms } from './terms-plans.tsx';
import type { Policy, PolicySection } from './policy.tsx';

const yourCard: PolicySection = {
  id: 'your-card',
  heading: 'Your card is yours',
  body: ({ productName }) => (
    <>
      <p>
        What you put on your card stays yours. You allow us to store it and to show it to whoever
        opens your link or scans your QR code; that is all we do with it, and it ends when you
        remove it.
      </p>
      <p>
        You promise that what you put there is true and that you may use it. Please do not use{' '}
        {productName} to
      </p>
      <ul>
        <li>pose as another person or company,</li>
        <li>publish what is unlawful, or photos and names that others have not agreed to,</li>
        <li>send visitors to fraud, malware or hidden charges,</li>
        <li>collect visitors’ details in order to spam them, or</li>
        <li>overload the service, or try to get at other people’s data.</li>
      </ul>
      <p>A card that does any of these can be taken offline, at once where others are in danger.</p>
    </>
  ),
};

const visitors: PolicySection = {
  id: 'visitors',
  heading: 'If you visit a card',
  body: () => (
    <p>
      You need no account to see a card, save it, call, or write. When you press Connect, what you
      fill in goes to the owner of that card, who is responsible for using it fairly. Leave only
      details that are your own.
    </p>
  ),
};

export const terms: Policy = {
  path: '/terms_conditions',
  title: 'Terms and Conditions',
  summary: ({ productName }) =>
    `The agreement between you and ${productName}: who may use it, what is yours, what plans and smart cards come with, and which law holds.`,
  sections: [
    {
      id: 'agreement',
      heading: 'What you agree to',
      body: ({ productName }) => (
        <p>
          {productName} is a digital business card service for individual professionals. By using
          it, as the owner of a card or as a visitor, you agree to these terms and to the policies
          that they link to. If you do not agree, please do not use it.
        </p>
      ),
    },
    {
      id: 'age',
      heading: 'Who may use it',
      body: ({ productName }) => (
        <p>
          The minimum age for using {productName} is 14, or the local age of majority where the law
          where you live asks for that. You sign in with a phone number that is yours; whoever has
          your phone can sign in as you, so look after it, and log out on devices that others use.
        </p>
      ),
    },
    yourCard,
    visitors,
    ...planTerms,
    ...legalTerms,
  ],
};
