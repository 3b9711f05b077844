import sharp from 'sharp';

import type { Lead } from '#domain/lead-schema.ts';

export const DEMO_OWNERS = [
  {
    phone: '+919999900001',
    address: 'asha-rao',
    card: {
      name: 'Asha Rao',
      designation: 'Principal Architect',
      companyName: 'Rao & Partners',
      bio: 'Houses that keep cool without machines.\nBengaluru and Pune.',
      phone: '+91 99999 00001',
      email: 'asha@rao-partners.example',
      socialMediaHandles: {
        Web: 'https://rao-partners.example',
        Whatsapp: '9999900001',
        Instagram: 'https://www.instagram.com/raopartners',
        LinkedIn: 'https://www.linkedin.com/in/asha-rao',
        Pinterest: 'https://www.pinterest.com/raopartners',
        YouTube: 'https://www.youtube.com/@raopartners',
      },
    },
    extras: {
      phone: '080 4000 0001',
      email: 'studio@rao-partners.example',
      links: [{ label: 'Book an appointment', url: 'https://rao-partners.example/book' }],
      upi: 'asha.rao@okaxis',
      gstin: '29AAGCB7383J1Z4',
      address: '12 Lavelle Road\nBengaluru 560001',
    },
    face: { skin: '#8d5a3b', hair: '#1f1a17', shirt: '#1d6a72' },
  },
  {
    phone: '+919999900002',
    address: 'prakash-studio',
    card: {
      name: 'देवदत्त कुलकर्णी',
      designation: 'छायाचित्रकार',
      companyName: 'प्रकाश स्टुडिओ',
      bio: 'लग्न, माणसे आणि पाऊस.',
      phone: '+91 99999 00002',
      email: 'dev@prakash.example',
      socialMediaHandles: { Instagram: 'https://www.instagram.com/prakashstudio' },
    },
    extras: { upi: 'prakashstudio@ybl' },
    face: { skin: '#a8714b', hair: '#2b211c', shirt: '#c8401f' },
  },
  {
    phone: '+919999900003',
    address: 'zoya-khan',
    card: {
      name: 'Zoya Khan',
      designation: 'Tax adviser',
      companyName: 'Khan Advisory',
      phone: '+91 99999 00003',
      email: 'zoya@khan-advisory.example',
      socialMediaHandles: { LinkedIn: 'https://www.linkedin.com/in/zoya-khan' },
    },
    extras: { gstin: '27AAPFU0939F1ZV' },
    face: { skin: '#c68d63', hair: '#3a2a20', shirt: '#2f4858' },
  },
] as const;

export type DemoOwner = (typeof DEMO_OWNERS)[number];

const listOf = (text: string) => text.trim().split(/,\s+/);

const NAMES = listOf(`
  Ravi Kumar, Meera Deshpande, Joseph Fernandes, Fatima Sheikh, Arjun Menon, Kavya Iyer, René Dubois,
  Sunita Patil, Imran Qureshi, Lakshmi Nair, Nikhil Shah, Ananya Bose, Peter D’Souza, Deepa Reddy,
  Harpreet Singh, Priya Joshi, Vikram Malhotra, Leela Pillai, Omar Haddad, Sana Ansari
`).map((name) => name.split(' '));
const COMPANIES = listOf(`
  Kumar Steel Works, Deshpande Jewellers, , Blue Door Interiors, Menon & Sons, Coast Hotels,
  Atelier Dubois, Patil Farms, , Monsoon Films, Shah Textiles
`);

export const VISITOR_COUNT = NAMES.length ** 2;

/** Returns a different visitor for every position below VISITOR_COUNT. */
export function demoVisitor(position: number): Lead {
  const shift = Math.floor(position / NAMES.length);
  const [first = ''] = NAMES[position % NAMES.length] ?? [];
  const [, last = ''] = NAMES[(position + shift) % NAMES.length] ?? [];
  const companyName = COMPANIES[position % COMPANIES.length] ?? '';
  const mailbox = `${first}.${last}`
    .normalize('NFD')
    .replace(/[^\w.]/g, '')
    .toLowerCase();
  return {
    name: `${first} ${last}`,
    companyName,
    email: position % 4 === 0 ? '' : `${mailbox}@example.com`,
    mobile: position % 3 === 0 || position % 4 === 0 ? `98450${String(10_000 + position)}` : '',
  };
}

const SIDE_PX = 600;

export function renderFace({ skin, hair, shirt }: DemoOwner['face']): Promise<Buffer> {
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE_PX}" height="${SIDE_PX}" viewBox="0 0 100 100">`,
    '<rect width="100" height="100" fill="#e9dfd2"/>',
    `<path fill="${shirt}" d="M12 100c2-20 16-30 38-30s36 10 38 30z"/>`,
    `<path fill="${skin}" d="M41 58h18v16a9 9 0 0 1-18 0z"/>`,
    `<ellipse cx="50" cy="42" rx="18" ry="22" fill="${skin}"/>`,
    `<path fill="${hair}" d="M30 44c-3-22 8-30 20-30s23 8 20 30c-3-9-6-14-10-17-6 4-18 5-24 2-3 4-5 8-6 15z"/>`,
    '</svg>',
  ].join('');
  return sharp(Buffer.from(svg)).jpeg().toBuffer();
}
