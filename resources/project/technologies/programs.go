package technologies

import (
	"path"
	"slices"
	"strings"
)

// ecosystemOf is the one of the packages that package managers add to a manifest.
var ecosystemOf = map[string]string{
	"package.json": "npm", "requirements.txt": "pypi", "pyproject.toml": "pypi", "pom.xml": "maven", "go.mod": "go", "Cargo.toml": "cargo", "composer.json": "composer", "Gemfile": "gem",
}

// fetchers run or install programs out of packages and write no manifest: words, and the ecosystem of
// the first word behind them that is no flag.
var fetchers = [...]struct{ words, ecosystem string }{
	{"npx", "npm"}, {"bunx", "npm"}, {"pnpm dlx", "npm"}, {"pnpm exec", "npm"}, {"yarn dlx", "npm"}, {"npm exec", "npm"},
	{"uvx", "pypi"}, {"uv tool install", "pypi"}, {"uv tool run", "pypi"}, {"pipx install", "pypi"}, {"pipx run", "pypi"},
	{"go install", "go"}, {"go run", "go"}, {"cargo install", "cargo"}, {"cargo binstall", "cargo"}, {"dotnet tool install", "nuget"},
}

// fetched is the package that a command runs or installs.
func fetched(words []string) (ecosystem, name, version string) {
	for _, f := range fetchers {
		rest, found := behind(words, strings.Fields(f.words))
		if !found || len(rest) == 0 || strings.HasPrefix(rest[0], ".") {
			continue
		}
		at := strings.LastIndexByte(rest[0], '@')
		if name = rest[0]; at > 0 {
			name, version = rest[0][:at], rest[0][at+1:]
		}
		if version == "latest" {
			version = ""
		}
		if f.ecosystem == "go" && len(name) <= longestText {
			name = module(name)
		}
		return f.ecosystem, name, version
	}
	return "", "", ""
}

// behind are the words behind the words of a verb, without flags before the first.
func behind(words, verb []string) ([]string, bool) {
	if len(words) <= len(verb) || !slices.Equal(words[:len(verb)], verb) {
		return nil, false
	}
	words = words[len(verb):]
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		words = words[1:]
	}
	return words, true
}

// module is the module of a package of Go, as far as the table knows it.
func module(name string) string {
	for at := name; strings.Contains(at, "/"); at = path.Dir(at) {
		if len(table().packages("go", at)) > 0 {
			return at
		}
	}
	return name
}

// runners run the program behind their words.
var runners = [...]string{"uv run", "poetry run", "pdm run", "pipenv run", "hatch run", "bundle exec", "python -m", "python3 -m", "composer exec"}

// installers of systems are given the names of programs.
var installers = [...]string{"apt-get install", "apt install", "apk add", "brew install", "dnf install", "yum install"}

// programs are the names of the programs that a command runs or installs: cargo-clippy of cargo
// clippy, docker-compose of docker compose.
func programs(words []string) []string {
	for _, r := range runners {
		if rest, found := behind(words, strings.Fields(r)); found {
			words = rest
			break
		}
	}
	for _, i := range installers {
		if _, found := behind(words, strings.Fields(i)); found {
			return slices.DeleteFunc(slices.Clone(words[2:]), func(word string) bool { return strings.HasPrefix(word, "-") })
		}
	}
	if len(words) == 0 {
		return nil
	}
	names := []string{path.Base(words[0])}
	if len(words) > 1 && (names[0] == "cargo" || names[0] == "docker") {
		names = append(names, names[0]+"-"+words[1])
	}
	return names
}
