import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		include: ["__test__/**/*.test.ts"],
		pool: "forks",
		testTimeout: 30_000,
		// Commands race with each other on a loaded machine, and some promises are milliseconds: one more try before a test fails.
		retry: 1,
	},
});
