package packages

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestIs(t *testing.T) {
	for _, c := range []struct {
		have  Package
		named string
		want  bool
	}{
		{Package{"moment", ""}, "moment", true},
		{Package{"moment", "^2.29"}, "moment", true},
		{Package{"moment-timezone", ""}, "moment", false},
		{Package{"Flask_Login", ""}, "flask-login", true},
		{Package{"next", "^15.2.1"}, "next@<16", true},
		{Package{"next", "15"}, "next@<16", true},
		{Package{"next", "16.0.0"}, "next@<16", false},
		{Package{"next", "latest"}, "next@<16", false},
		{Package{"next", ""}, "next@<16", false},
		{Package{"next", "<16"}, "next@<16", true},
		{Package{"next", ">=15 <17"}, "next@<16", true},
		{Package{"next", "17.1"}, "next@>16", true},
		{Package{"next", "16.1"}, "next@>16", false},
		{Package{"next", "16.1"}, "next@>=16", true},
		{Package{"next", "15.2"}, "next@<15.3", true},
		{Package{"next", "15.4"}, "next@<15.3", false},
		{Package{"react", "~17.0.2"}, "react@17", true},
		{Package{"react", "18"}, "react@^17", false},
		{Package{"django", ">=3.2"}, "django@<4", true},
		{Package{"django", "==4.1"}, "django@<4", false},
		{Package{"@types/node", "18"}, "@types/node@<20", true},
		{Package{"@types/node", "18"}, "@types/node", true},
		{Package{"github.com/gofrs/uuid/v5", "v5.0.0"}, "github.com/gofrs/uuid", true},
		{Package{"github.com/gofrs/uuid/v5", ""}, "github.com/gofrs/uuid@<6", true},
		{Package{"github.com/gofrs/uuid-x", ""}, "github.com/gofrs/uuid", false},
		{Package{"log4j:log4j", "1.2.17"}, "log4j", true},
		{Package{"log4j:log4j", "1.2.17"}, "log4j:log4j@<2", true},
		{Package{"x", "99999999999999999999"}, "x@<16", false},
	} {
		assert.Equal(t, c.want, c.have.Is(Named(c.named)), "%v is %s", c.have, c.named)
	}
}

func TestAdded(t *testing.T) {
	for line, want := range map[string]string{
		"npm install moment":                                 "moment in package.json",
		"npm i -D next@15 @types/node@18 ./local":            "next@15 @types/node@18 in package.json",
		"npm --prefix web add dayjs":                         "dayjs in package.json",
		"npm install --registry http://r moment":             "moment in package.json",
		"npm install":                                        " in package.json",
		"npm ci":                                             "",
		"npm run add moment":                                 "",
		"pnpm add --filter web moment":                       "moment in package.json",
		"yarn global add moment":                             "moment in package.json",
		"yarn why moment":                                    "",
		"bun add d@npm:moment@2":                             "moment@2 in package.json",
		"npm i https://x.test/a.tgz git+ssh://x/y user/repo": " in package.json",
		"pip install flask[async]==2.0 -r requests.txt":      "flask@==2.0 in requirements.txt",
		"python3 -m pip install --upgrade Django>=3":         "Django@>=3 in requirements.txt",
		"uv add httpx":                                       "httpx in pyproject.toml",
		"uv pip install httpx":                               "httpx in pyproject.toml",
		"poetry add pendulum@^2":                             "pendulum@^2 in pyproject.toml",
		"go get github.com/pkg/errors@v0.9.1":                "github.com/pkg/errors@v0.9.1 in go.mod",
		"go get ./...":                                       " in go.mod",
		"go test ./...":                                      "",
		"cargo add serde --vers 1.0 --features derive":       "serde@1.0 in Cargo.toml",
		"cargo add time@0.1":                                 "time@0.1 in Cargo.toml",
		"composer require monolog/monolog:^2.0":              "monolog/monolog@^2.0 in composer.json",
		"composer require monolog/monolog ^2.0":              "monolog/monolog@^2.0 in composer.json",
		"gem install rails -v 6.1":                           "rails@6.1 in Gemfile",
		"bundle add rails --version 6":                       "rails@6 in Gemfile",
		"/usr/bin/npm install moment":                        "moment in package.json",
		"mvn dependency:get -Dartifact=log4j:log4j:1.2.17":   "log4j:log4j@1.2.17 in pom.xml",
		"npm":      "",
		"echo npm": "",
	} {
		got, manifest := Added(strings.Fields(line))
		var words []string
		for _, p := range got {
			words = append(words, p.String())
		}
		text := strings.Join(words, " ")
		if manifest != "" {
			text += " in " + manifest
		}
		assert.Equal(t, want, text, line)
	}
}

// seeds are a text of each sort of manifest, with the packages that it names.
var seeds = []struct{ file, text, want string }{
	{"web/package.json", `{"dependencies": {"moment": "^2.29", "d": "npm:dayjs@1"}, "devDependencies": {"vitest": "1"}, "peerDependencies": {"react": "18"}, "scripts": {"moment": "x"}}`, "dayjs@1 moment@^2.29 vitest@1"},
	{"package.json", `{"dependencies": ["moment"]`, ""},
	{"composer.json", `{"require": {"php": ">=8", "monolog/monolog": "^2.0"}}`, "monolog/monolog@^2.0 php@>=8"},
	{"go.mod", "module x\n\ngo 1.24\n\nrequire github.com/a/b v1.2.3\nrequire (\n\tgithub.com/pkg/errors v0.9.1\n\tgolang.org/x/sys v0.1.0 // indirect\n)\n", "github.com/a/b@v1.2.3 github.com/pkg/errors@v0.9.1"},
	{"requirements-dev.txt", "# tools\n-r base.txt\nflask[async]>=2.0,<3 # web\nrequests\nDjango == 3.2 ; python_version < '4'\n./local\n", "flask@>=2.0,<3 requests Django@== 3.2"},
	{"pyproject.toml", "[project]\nname = \"x\"\ndependencies = [\n  \"httpx>=0.27\", # yes\n  'moment'\n]\n[project.optional-dependencies]\ndev = [\"pytest\"]\n[dependency-groups]\nlint = [\"ruff>=0.5\"]\n[tool.poetry.dependencies]\npendulum = \"^2\"\n[tool.poetry.group.dev.dependencies]\nblack = {version = \"24\", optional = true}\n[tool.ruff]\nline-length = 100\n", "httpx@>=0.27 moment pytest ruff@>=0.5 pendulum@^2 black@24"},
	{"Cargo.toml", "[package]\nname = \"x\"\nversion = \"1.0\"\n[dependencies]\nserde = \"1.0\"\ntime = { version = \"0.1\", features = [\"a\"] }\nold = { package = \"chrono\", version = \"0.4\" }\n[dev-dependencies.tokio]\nversion = \"1\"\n[target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n", "serde@1.0 time@0.1 chrono@0.4 tokio@1 libc@0.2"},
	{"pom.xml", "<project><dependencies><dependency><groupId>log4j</groupId><artifactId>log4j</artifactId><version>1.2.17</version></dependency><dependency>", "log4j:log4j@1.2.17"},
	{"build.gradle.kts", "dependencies {\n  implementation(\"com.google.guava:guava:31.0\")\n  // implementation(\"a:b:1\")\n  testImplementation 'junit:junit:4.13'\n}\n", "com.google.guava:guava@31.0 junit:junit@4.13"},
	{"Gemfile", "source 'https://rubygems.org'\ngem 'rails', '~> 6.1'\ngem \"pg\", require: 'x'\n", "rails@~> 6.1 pg"},
	{"README.md", "npm install moment", ""},
}

func text(all []Package) string {
	var words []string
	for _, p := range all {
		words = append(words, p.String())
	}
	return strings.Join(words, " ")
}

func TestIn(t *testing.T) {
	for _, seed := range seeds {
		assert.Equal(t, seed.want, text(In(seed.file, []byte(seed.text))), seed.file)
	}
	assert.True(t, IsManifest("a/b/requirements.txt"))
	assert.False(t, IsManifest("a/package.json.bak"))
}

func TestNewTellsWhatCame(t *testing.T) {
	before := `{"dependencies": {"moment": "1", "next": "16"}}`
	after := `{"dependencies": {"moment": "1", "next": "15", "dayjs": "1"}}`
	assert.Equal(t, "dayjs@1 next@15", text(New("package.json", []byte(before), []byte(after))))
	assert.Empty(t, New("package.json", []byte(before), []byte(before)))
	assert.Equal(t, "moment@1 next@16", text(New("package.json", nil, []byte(before))))
}

// A text twice as long takes no more than about twice as long.
func TestLinear(t *testing.T) {
	for _, seed := range seeds {
		long := []byte(strings.Repeat(seed.text+"\n", maxManifest/(len(seed.text)+1)))
		begun := time.Now()
		In(seed.file, long)
		assert.Less(t, time.Since(begun), 2*time.Second, seed.file)
	}
}

func FuzzIn(f *testing.F) {
	for _, seed := range seeds {
		f.Add(seed.file, []byte(seed.text))
	}
	f.Fuzz(func(t *testing.T, file string, data []byte) {
		for _, p := range In(file, data) {
			p.Is(Named("next@<16"))
		}
	})
}

func FuzzAdded(f *testing.F) {
	f.Add("npm i next@15 ./x")
	f.Add("gem install y -v 1")
	f.Fuzz(func(t *testing.T, line string) {
		added, manifest := Added(strings.Fields(line))
		assert.True(t, manifest != "" || len(added) == 0)
	})
}
