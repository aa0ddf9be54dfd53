package technologies_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources/project/technologies"
)

// hostile are texts that no manifest is, each as long as asked.
var hostile = map[string]func(n int) string{
	"brackets": func(n int) string { return strings.Repeat("[", n) },
	"braces":   func(n int) string { return strings.Repeat("{\"a\":", n/5) },
	"equals":   func(n int) string { return "a = " + strings.Repeat("[{a=", n/4) },
	"dashes":   func(n int) string { return strings.Repeat("- ", n/2) },
	"indents":  func(n int) string { return indented(n) },
	"elements": func(n int) string { return strings.Repeat("<a>", n/3) },
	"quotes":   func(n int) string { return "dependencies = [" + strings.Repeat("\"a\\\"", n/4) },
	"dollars": func(n int) string {
		return "FROM " + strings.Repeat("${a", n/3) + "\nARG a=" + strings.Repeat("$a", 100)
	},
	"one line":   func(n int) string { return "gem " + strings.Repeat("x", n) },
	"keys":       func(n int) string { return strings.Repeat("[a.b.c]\nd.e = 1\n", n/16) },
	"tables":     func(n int) string { return strings.Repeat("[[package]]\nname = \"a\"\nversion = \"1\"\n", n/36) },
	"not UTF-8":  func(n int) string { return strings.Repeat("\xff\xfe: \x00\x80\n", n/7) },
	"many names": func(n int) string { return `{"dependencies":{` + strings.Repeat("\"react\":\"catalog:\",\n", n/19) },
	"many gems":  func(n int) string { return strings.Repeat("gem 'rails', '1'\n", n/17) },
	"properties": func(n int) string { return "<project><properties>" + strings.Repeat("<a>${a}</a>", n/11) },
	"many files": func(n int) string { return "resources:\n" + strings.Repeat("- a.yaml\n", n/9) },
	"many steps": func(n int) string {
		return "jobs:\n a:\n  steps:\n" + strings.Repeat("  - run: |\n     go install a.b/c@v1\n", n/37)
	},
	"continued":  func(n int) string { return "jobs:\n a:\n  steps:\n  - run: |\n" + strings.Repeat("     \\\n", n/7) },
	"many parts": func(n int) string { return "\tgo install " + strings.Repeat("a/", n/2) },
	"quoted words": func(n int) string {
		return "jobs:\n a:\n  steps:\n  - run: |\n" + strings.Repeat("     \"e\"cho a\n", n/14)
	},
	"an open text": func(n int) string {
		return "jobs:\n a:\n  steps:\n  - run: |\n     \"\n" + strings.Repeat("     a\n", n/7)
	},
	"many lines":  func(n int) string { return "RUN \\\n" + strings.Repeat("\\\n", n/2) },
	"expressions": func(n int) string { return "\tpip install " + strings.Repeat("${{ a }}", n/8) },
	"many images": func(n int) string { return "services:\n" + strings.Repeat(" a:\n  image: redis\n", n/19) },
}

func indented(n int) string {
	var b strings.Builder
	for depth := 0; b.Len() < n; depth = (depth + 1) % 2000 {
		b.WriteString(strings.Repeat(" ", depth))
		b.WriteString("a:\n")
	}
	return b.String()
}

// manifests are all names that a reader takes.
var manifests = []string{
	"package.json", "package-lock.json", "pnpm-workspace.yaml", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "go.mod", "go.work", "pyproject.toml", "uv.lock", "Pipfile", "requirements.txt", "Cargo.toml", "Cargo.lock", "pom.xml", "build.gradle", "settings.gradle.kts", "gradle/libs.versions.toml", "Gemfile", "Gemfile.lock",
	"composer.json", "composer.lock", "app.csproj", "Directory.Packages.props", "global.json", "Dockerfile", "compose.yaml", ".github/workflows/ci.yml", ".nvmrc", ".tool-versions",
	"rust-toolchain.toml", "Makefile", "justfile", "Taskfile.yml", ".gitattributes",
	"requirements.in",
}

// size is how long each hostile manifest is: all readers are linear, so that longer ones tell
// nothing more.
const size = 48 << 10

// Strangers' manifests neither end the reader nor hold it up, all of them together.
func TestHostileManifestsAreRead(t *testing.T) {
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{}
			for _, manifest := range manifests {
				files[manifest] = text(size)
			}
			all := write(t, files)
			began := time.Now()
			technologies.Find(all)
			technologies.Commands(all)
			technologies.Workspaces(all)
			assert.Less(t, time.Since(began), 20*time.Second)
			t.Log(time.Since(began))
		})
	}
}

func FuzzManifests(f *testing.F) {
	for _, text := range hostile {
		f.Add(text(300))
	}
	f.Add("[project]\ndependencies = ['fastapi>=1']\n")
	f.Add("{\"dependencies\": {\"react\": \"^18\"}}")
	f.Fuzz(func(t *testing.T, text string) {
		files := map[string]string{}
		for _, manifest := range manifests {
			files[manifest] = text
		}
		all := write(t, files)
		found := technologies.Find(all)
		assert.Equal(t, found, technologies.Find(all))
		for _, one := range found {
			assert.NotEmpty(t, one.Evidence, one.Name)
		}
		technologies.Commands(all)
		technologies.Workspaces(all)
	})
}

// What a manifest says may be printed: it gives a terminal no orders and stays in its line.
func TestNothingOfAManifestIsObeyed(t *testing.T) {
	all := write(t, map[string]string{"package.json": "{\"name\": \"a\\u001b[2Jb\\n\\u202e\", \"dependencies\": {\"react\": \"1\\u001b[31m" + strings.Repeat("x", 500) + "\"}, \"scripts\": {\"test\": \"a\\n\\u0007b\"}}"})
	react, test, root := technologies.Find(all)[0], technologies.Commands(all)[0], technologies.Workspaces(all)[0]
	for _, text := range []string{react.Version, test.Script, root.Name} {
		assert.NotContains(t, text, "\x1b")
		assert.NotContains(t, text, "\n")
		assert.NotContains(t, text, "\u202e")
		assert.LessOrEqual(t, len(text), 200)
	}
}
