import { storedData } from './privacy-data.tsx';
import { privacyRights } from './privacy-rights.tsx';
import type { Policy, PolicySection } from './policy.tsx';

const whoSeesIt: PolicySection = {
  id: 'who-sees-it',
  heading: 'Who sees it',
  body: ({ productName }) => (
    <>
      <p>
        <strong>Everybody with your link or QR code</strong> sees your card: the name, designation,
        company, about text, phone, email, social links and photo that you put on it. Search engines
        may list it. Leave out, or take out, whatever should not be public.
      </p>
      <p>
        <strong>Only you</strong> see the contacts that visitors leave on your card. Other owners
        and other visitors never do.
      </p>
      <p>
        <strong>The people who run {productName}</strong> can reach what is stored when that is
        needed to keep the service working, to help you at your request, or because the law demands
        it.
      </p>
      <p>
        <strong>Companies that work for us</strong> get what their part needs and nothing more: the
        one that hosts the service, and the one that verifies your phone number or carries the text
        message with the one-time code, which learns your login phone number.
      </p>
      <p>
        We do not sell personal data, we show no advertising by others, and no tracker of anybody
        else runs on our pages.
      </p>
    </>
  ),
};

const inYourBrowser: PolicySection = {
  id: 'in-your-browser',
  heading: 'What your browser keeps',
  body: ({ productName }) => (
    <>
      <p>
        When you log in, your browser’s local storage keeps your id, your session token and a note
        that you are signed in. While you set up your card, the open tab also keeps what you have
        typed so far. Log out, and all of it is cleared.
      </p>
      <p>
        When you log in with a code that we send you, {productName} also sets one cookie. For a year
        it shows that this browser has used your number before, so that nobody can lock you out by
        typing wrong codes. It holds no phone number, signs nobody in and is not used to follow you.
      </p>
      <p>Visitors of a card need no account, and nothing is stored in their browsers.</p>
    </>
  ),
};

export const privacy: Policy = {
  path: '/privacy_policy',
  title: 'Privacy Policy',
  summary: ({ productName }) =>
    `What ${productName} keeps about card owners and visitors, for how long, who sees it, and how to have it removed.`,
  sections: [
    {
      id: 'in-short',
      heading: 'In short',
      body: ({ productName }) => (
        <>
          <p>
            {productName} is a digital business card: you fill in a card, and share it. What you put
            on the card is public to whoever has its link. Everything else about you is not.
          </p>
          <p>
            We keep what the card needs to work and no more. You can change your card at any time,
            and have all of it removed by writing to us.
          </p>
        </>
      ),
    },
    storedData,
    whoSeesIt,
    inYourBrowser,
    ...privacyRights,
  ],
};
