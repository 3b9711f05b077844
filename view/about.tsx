import type { CardMode } from './card-mode.ts';

interface AboutProps {
  readonly bio: string;
  readonly mode: CardMode;
}

/** What a person says of themselves; nothing where they say nothing. */
export function About({ bio, mode }: AboutProps) {
  if (bio.trim() === '') return null;
  const Heading = mode === 'live' ? 'h2' : 'p';
  return (
    <section className="card-about">
      <Heading className="card-heading">About Me</Heading>
      <p className="card-bio" dir="auto">
        {bio}
      </p>
    </section>
  );
}
