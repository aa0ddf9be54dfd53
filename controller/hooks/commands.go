package hooks

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// recorded lists the first words of commands that are recorded as checkpoints:
// commands that build, test or change history. Linters and formatters are
// included, because otherwise the evidence of some languages could not be
// recorded.
var recorded = []string{
	"make", "just", "task", "ninja", "cmake", "ctest", "meson", "bazel build", "bazel test", "buck2 build", "buck2 test",
	"go build", "go test", "go vet", "go install", "gofmt", "staticcheck", "golangci-lint",
	"cargo build", "cargo test", "cargo check", "cargo clippy", "cargo nextest", "cargo bench", "cargo fmt",
	"npm test", "npm t", "npm run", "npm ci", "npm install", "pnpm test", "pnpm run", "pnpm build", "pnpm install", "yarn", "bun test", "bun run", "bun build", "deno test", "deno check",
	"npx jest", "npx vitest", "npx tsc", "npx eslint", "npx playwright", "npx mocha",
	"jest", "vitest", "mocha", "tsc", "eslint", "playwright test", "webpack", "vite build", "node --test",
	"pytest", "python -m pytest", "python3 -m pytest", "python -m unittest", "python3 -m unittest", "uv run pytest", "poetry run pytest", "tox", "nox", "ruff", "mypy",
	"mvn", "./mvnw", "gradle", "./gradlew", "ant", "sbt",
	"dotnet build", "dotnet test", "msbuild", "swift build", "swift test", "xcodebuild",
	"rake", "rspec", "bundle exec rspec", "bundle exec rake", "mix test", "mix compile", "composer test", "phpunit", "vendor/bin/phpunit",
	"docker build", "docker compose build", "terraform validate", "terraform plan", "flutter test", "flutter build", "zig build", "zig test", "stack test", "stack build", "cabal test", "cabal build", "rebar3", "lein test",
	"pre-commit", "tests", "./test", "./test.sh", "./run-tests.sh", "sh test.sh", "bash test.sh",
}

// gitLooks lists git commands that change nothing. They are not recorded as
// checkpoints.
var gitLooks = []string{
	"status", "diff", "log", "show", "blame", "grep", "ls-files", "ls-tree", "ls-remote", "rev-parse", "rev-list", "cat-file",
	"describe", "reflog", "shortlog", "help", "version", "config", "remote", "branch", "check-ignore", "for-each-ref", "merge-base", "name-rev", "var", "count-objects",
}

// isRecorded reports whether a command is recorded as a checkpoint.
func isRecorded(words []string) bool {
	if len(words) == 0 {
		return false
	}
	if words[0] == "git" {
		verb := command.GitVerb(words[1:])
		return verb != "" && !slices.Contains(gitLooks, verb)
	}
	return slices.ContainsFunc(recorded, func(row string) bool {
		want := strings.Fields(row)
		return len(want) <= len(words) && slices.Equal(words[:len(want)], want)
	})
}

// maxCommand limits the length of a recorded command line, in bytes.
const maxCommand = 200

// commandText returns a command in the recorded form: one line of limited
// length, with likely secrets masked.
func commandText(words []string) string {
	shown := resources.MaskSecrets(words)
	for i, w := range shown {
		if w == "" || strings.ContainsAny(w, " \t\n\r\"'") {
			shown[i] = `"` + strings.Join(strings.Fields(w), " ") + `"`
		}
	}
	text := strings.Map(printable, strings.Join(shown, " "))
	if len(text) <= maxCommand {
		return text
	}
	return strings.ToValidUTF8(text[:maxCommand-3], "") + "..."
}

// printable returns r, or a space for a control character.
func printable(r rune) rune {
	if r < ' ' || r == 0x7f {
		return ' '
	}
	return r
}
