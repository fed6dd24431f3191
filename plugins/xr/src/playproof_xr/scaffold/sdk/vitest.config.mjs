import {defineConfig} from 'vitest/config';

const src = `${import.meta.dirname}/src`;

export default defineConfig({
  resolve: {
    alias: [
      {find: /^xrblocks\/addons\/(.*?)(\.js)?$/, replacement: `${src}/addons/$1`},
      {find: /^xrblocks$/, replacement: `${src}/xrblocks.ts`},
      {find: 'netblocks', replacement: `${src}/addons/netblocks/src/index.ts`},
      {find: 'lipsync', replacement: `${src}/addons/lipsync/index.ts`},
      // Packages that are loaded on use, and not installed here.
      {
        find: /^(@google\/genai|openai|@mediapipe\/tasks-(vision|audio)|@sparkjsdev\/spark)$/,
        replacement: `${import.meta.dirname}/absent.mjs`,
      },
    ],
  },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.ts'],
    // They need packages that are not installed here.
    exclude: ['src/addons/mcp/**', 'src/addons/remote-control/**', 'src/addons/netblocks/**'],
  },
});
