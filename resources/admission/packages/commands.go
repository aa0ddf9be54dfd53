package packages

import (
	"path"
	"slices"
	"strings"
)

// manager is a package manager that adds packages to a manifest.
type manager struct {
	names        string // program names
	verbs        string // verbs that add packages; "+" joins several words to one verb
	manifest     string // changed manifest
	parsePackage func(word string) Package
	values       string // flags with a value
}

// managers is the table of package managers.
var managers = [...]manager{
	{"npm", "install i add in isntall", "package.json", npmPackage, "--prefix -C -w --workspace --registry --tag --omit --include --loglevel"},
	{"pnpm", "add install i", "package.json", npmPackage, "--dir -C --filter -F --registry"},
	{"yarn", "add global+add", "package.json", npmPackage, "--cwd --registry"},
	{"bun", "add install i a", "package.json", npmPackage, "--cwd --registry"},
	{"pip pip3", "install", "requirements.txt", pythonPackage, "-r --requirement -c --constraint -t --target -i --index-url --extra-index-url -e --editable"},
	{"uv", "add pip+install install", "pyproject.toml", pythonPackage, "-r --requirement --group --index --directory --project -p --python"},
	{"poetry pdm pipenv", "add install", "pyproject.toml", pythonPackage, "-G --group --source -r"},
	{"mvn mvnw", "dependency:get", "pom.xml", atPackage, ""},
	{"go", "get", "go.mod", atPackage, "-C -tags -modfile"},
	{"cargo", "add", "Cargo.toml", atPackage, "--vers --features -F --package -p --path --git --branch --rename --manifest-path"},
	{"composer", "require req", "composer.json", composerPackage, "-d --working-dir"},
	{"gem", "install i", "Gemfile", gemPackage, "-v --version -i --install-dir --source"},
	{"bundle bundler", "add", "Gemfile", gemPackage, "-v --version -g --group -s --source --git --branch --path"},
}

// versionFlags set the version of the preceding packages.
var versionFlags = [...]string{"-v", "--version", "--vers"}

// Added returns the packages that a command adds and the changed manifest, relative to the
// working directory. It returns none for other commands. words start with the command name.
func Added(words []string) (added []Package, manifest string) {
	m, rest := managerOf(words)
	if m == nil {
		return nil, ""
	}
	for i := 0; i < len(rest); i++ {
		word := rest[i]
		flag, value, joined := strings.Cut(word, "=")
		switch {
		case !strings.HasPrefix(word, "-"):
			if p := m.parsePackage(word); p.Name != "" {
				added = append(added, p)
			}
			continue
		case !joined && slices.Contains(strings.Fields(m.values), flag) && i+1 < len(rest):
			i++
			value = rest[i]
		}
		if flag == "-Dartifact" {
			group, rest, _ := strings.Cut(value, ":")
			artifact, version, _ := strings.Cut(rest, ":")
			added = append(added, Package{group + ":" + artifact, version})
		}
		if slices.Contains(versionFlags[:], flag) && strings.Contains(m.values, flag) && len(added) > 0 {
			added[len(added)-1].Version = value
		}
	}
	return joinedVersions(added, m), m.manifest
}

// managerOf returns the package manager and the words after its adding verb. It
// returns nil for any other command.
func managerOf(words []string) (*manager, []string) {
	if len(words) < 2 {
		return nil, nil
	}
	name := strings.TrimSuffix(path.Base(strings.ReplaceAll(words[0], `\`, "/")), ".exe")
	if (name == "python" || name == "python3" || name == "py") && len(words) > 3 && words[1] == "-m" {
		name, words = words[2], words[2:]
	}
	for i := range managers {
		m := &managers[i]
		if !slices.Contains(strings.Fields(m.names), name) {
			continue
		}
		for _, verb := range strings.Fields(m.verbs) {
			if rest, ok := wordsAfter(words[1:], strings.Split(verb, "+"), m); ok {
				return m, rest
			}
		}
	}
	return nil, nil
}

// wordsAfter returns the words after the words of a verb. It skips flags before
// and between them. It returns false if another word comes before the verb is
// complete.
func wordsAfter(words, verb []string, m *manager) ([]string, bool) {
	for len(words) > 0 {
		switch word := words[0]; {
		case strings.HasPrefix(word, "-"):
			if !strings.Contains(word, "=") && slices.Contains(strings.Fields(m.values), word) && len(words) > 1 {
				words = words[1:]
			}
		case word == verb[0]:
			if verb = verb[1:]; len(verb) == 0 {
				return words[1:], true
			}
		default:
			return nil, false
		}
		words = words[1:]
	}
	return nil, false
}

// joinedVersions combines composer's "vendor/name" "^1.0" to one package.
func joinedVersions(added []Package, m *manager) []Package {
	if m.manifest != "composer.json" {
		return added
	}
	var joined []Package
	for _, p := range added {
		if n := len(joined); n > 0 && !strings.Contains(p.Name, "/") && joined[n-1].Version == "" {
			joined[n-1].Version = p.Name
			continue
		}
		joined = append(joined, p)
	}
	return joined
}

// npmPackage parses name, name@version, @scope/name@version and alias@npm:name@version.
// Folders, files and addresses are not packages.
func npmPackage(word string) Package {
	if _, real, alias := strings.Cut(word, "@npm:"); alias {
		word = real
	}
	word = strings.TrimPrefix(word, "npm:")
	scoped := strings.HasPrefix(word, "@")
	if strings.HasPrefix(word, ".") || strings.HasPrefix(word, "/") || strings.Contains(word, ":") || !scoped && strings.Contains(strings.SplitN(word, "@", 2)[0], "/") {
		return Package{}
	}
	return Named(word)
}

// atPackage parses name@version.
func atPackage(word string) Package {
	if strings.HasPrefix(word, ".") {
		return Package{}
	}
	return Named(word)
}

// composerPackage parses vendor/name:version, vendor/name=version, and only a version.
func composerPackage(word string) Package {
	for _, mark := range [...]string{":", "="} {
		if name, version, ok := strings.Cut(word, mark); ok && strings.Contains(name, "/") {
			return Package{name, version}
		}
	}
	return Package{Name: word}
}

// gemPackage parses name:version.
func gemPackage(word string) Package {
	name, version, _ := strings.Cut(word, ":")
	return Package{name, version}
}

// pythonPackage parses a requirement like name[extra]>=1.0, and name@version, which some
// tools accept. Folders, files and addresses are not packages.
func pythonPackage(word string) Package {
	word, _, _ = strings.Cut(word, ";")
	word = strings.TrimSpace(word)
	if strings.HasPrefix(word, ".") || strings.HasPrefix(word, "/") || strings.Contains(word, "://") {
		return Package{}
	}
	end := strings.IndexAny(word, " [<>=!~@(,")
	if end < 0 {
		return Package{Name: word}
	}
	name, rest := word[:end], strings.TrimSpace(word[end:])
	if strings.HasPrefix(rest, "[") {
		_, rest, _ = strings.Cut(rest, "]")
	}
	rest = strings.TrimSpace(strings.Trim(strings.TrimSpace(rest), "()@"))
	return Package{name, rest}
}
