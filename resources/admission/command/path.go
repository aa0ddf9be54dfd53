package command

import (
	"path"
	"slices"
	"strings"
)

// spot is the kind of a location, determined from its path.
type spot int

const (
	somewhere   spot = iota // not known before the command runs
	inBuild                 // build output or ignored by git; can be rebuilt
	inTemp                  // folder for temporary files
	inRepo                  // in the repository
	outsideWord             // other location without special meaning
	inHome                  // in the home folder, outside the repository
	theRepo                 // repository root or a folder above it
	gitFolder               // internal files of git
	aHome                   // home folder
	inSystem                // system folder
	aDevice                 // disk device
	theRoot                 // /
)

// buildFolders lists common names of folders that builds, package managers and tests create.
const buildFolders = " node_modules dist build out target coverage htmlcov .nyc_output .next .nuxt .output .svelte-kit .turbo .parcel-cache .vite .angular .astro " +
	"__pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .venv venv .eggs .hypothesis .ipynb_checkpoints .gradle .cache .sass-cache .docusaurus .vitepress " +
	"bin obj tmp temp .tmp .temp .terraform .serverless .aws-sam cdk.out Pods DerivedData .build .dart_tool zig-out zig-cache .zig-cache dist-newstyle .stack-work _build deps elm-stuff " +
	"bower_components storybook-static playwright-report test-results cypress/videos logs log .eslintcache .stylelintcache lib-cov .grunt .wrangler .vercel .netlify .expo " +
	"generated gen-out release debug Debug Release x64 CMakeFiles .ccls-cache .clangd cmake-build-debug cmake-build-release bazel-bin bazel-out bazel-testlogs vendor/bundle .bundle .yarn/cache .pnpm-store " +
	".DS_Store _site .jekyll-cache public/build public/assets site-packages .coverage reports report artifacts "

// artifacts lists patterns of files that builds create next to source files.
var artifacts = [...]string{"*.egg-info", "*.pyc", "*.pyo", "*.o", "*.a", "*.so", "*.class", "*.log", "*.tmp", "*.bak", "*.orig", "*.rej", "*.swp", "*.swo", "*~", "*.out", "*.test", "*.prof", "*.dSYM", "*.tsbuildinfo", "*.gcda", "*.gcno", "cmake-build-*", "*.d.ts.map", "*.js.map", "*.cache", "npm-debug.log*", "*.tgz", "*.whl", "Thumbs.db", ".DS_Store", "*.coverage", "bazel-*", "*_cache", ".*_cache", "*-cache"}

// systemFolders lists the folders of operating systems.
const systemFolders = " bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin snap srv sys usr var System Library Applications Users Volumes private cores nix "

// isBuilt reports whether a name is a common name of build output.
func isBuilt(name string) bool {
	if strings.Contains(buildFolders, " "+name+" ") {
		return true
	}
	return isArtifact(name)
}

// IsBuildOutput reports whether a path has a folder with a common name of build output, or ends
// with such a name.
func IsBuildOutput(name string) bool {
	for name != "." && name != "/" {
		if isBuilt(path.Base(name)) || isBuilt(path.Base(path.Dir(name))+"/"+path.Base(name)) {
			return true
		}
		name = path.Dir(name)
	}
	return false
}

// isArtifact reports whether the name of a file or folder matches artifacts, the common names of
// build output. A name that is itself a pattern only matches literally.
func isArtifact(name string) bool {
	return slices.ContainsFunc(artifacts[:], func(pattern string) bool {
		ok, _ := path.Match(pattern, name)
		return name == pattern || ok && !strings.ContainsAny(name, "?[")
	})
}

// absolute returns the absolute, cleaned form of a path. The parent of an unknown folder is
// unknown.
func (m *interpreter) absolute(p string) string {
	if strings.HasPrefix(p, "~/") || p == "~" {
		p = m.opts.Home + p[1:]
	}
	if p == "" || p[0] != '/' && !strings.ContainsAny(p[:1], marks) {
		p = m.dir + "/" + p
	}
	if strings.ContainsAny(p[:1], marks) {
		return p
	}
	if i := strings.IndexAny(p, marks); i > 0 && strings.Contains(p[i:]+"/", "/../") {
		return unknown + "/" + path.Base(p)
	}
	slash := strings.HasSuffix(p, "/")
	if p = path.Clean(p); len(m.links) > 0 {
		p = m.linked(p, slash)
	}
	return p
}

// linked resolves links that the command line itself created. A link in the last element is
// only resolved before a slash, because rm and mv act on the link.
func (m *interpreter) linked(p string, slash bool) string {
	for range maxNestedCommands {
		found := false
		for link, to := range m.links {
			if p != link && isWithin(link, p) || p == link && slash {
				p, found = path.Clean(to+p[len(link):]), true
			}
		}
		if !found {
			break
		}
	}
	return p
}

// behindLink returns the file that a command changes by writing to a name, which may be a link that
// the line created.
func (m *interpreter) behindLink(name string) string {
	if len(m.links) == 0 || !isKnown(name) || name == "" {
		return name
	}
	at := m.absolute(name)
	if to := m.linked(at, true); to != at || at != m.unlinked(name) {
		return to
	}
	return name
}

// unlinked returns the absolute, cleaned form of a path. Unlike absolute it does not resolve links.
func (m *interpreter) unlinked(name string) string {
	defer func(links map[string]string) { m.links = links }(m.links)
	m.links = nil
	return m.absolute(name)
}

// locate returns the kind of location of a path. all is true for a pattern that matches
// everything in the folder.
func (m *interpreter) locate(p string) (at spot, all bool) {
	if isWindowsRoot(p) {
		return inSystem, false
	}
	abs := m.absolute(p)
	cut := strings.IndexAny(abs, "*?[")
	if cut < 0 {
		return m.spotOf(abs), false
	}
	folder, _ := path.Split(abs[:cut])
	rest := abs[len(folder):]
	name, deeper, _ := strings.Cut(rest, "/")
	at = m.spotOf(path.Clean(folder))
	all = strings.Trim(name, "*?.[]!") == "" // all or almost all files
	switch {
	case all && deeper != "" && isKnown(deeper) && isBuilt(path.Base(deeper)),
		!all && isArtifact(path.Base(rest)) && (at == inRepo || at == theRepo || at == outsideWord):
		return inBuild, false
	case !all && at == theRepo:
		at = inRepo
	case !all && at == aHome:
		at = inHome
	}
	return at, all
}

// isAt reports whether a path is one of some kinds of locations.
func (m *interpreter) isAt(p string, spots ...spot) bool {
	at, _ := m.locate(p)
	return slices.Contains(spots, at)
}

// isWindowsRoot reports whether a path starts with a drive: C:\ or c:/, or is only C:.
func isWindowsRoot(p string) bool {
	if len(p) < 2 || p[1] != ':' {
		return false
	}
	upper := p[0] >= 'A' && p[0] <= 'Z'
	return upper && len(p) == 2 || (upper || p[0] >= 'a' && p[0] <= 'z') && len(p) > 2 && (p[2] == '\\' || p[2] == '/')
}

// spotOf returns the kind of location of an absolute, clean path without patterns.
func (m *interpreter) spotOf(abs string) spot {
	root, home := m.opts.Root, m.opts.Home
	inTempFolder := func(folder string) bool { return isWithin(folder, abs) }
	switch i := strings.IndexAny(abs, marks); {
	case i >= 0:
		return m.partly(abs, i)
	case abs == "/" || abs == "//":
		return theRoot
	case isWithin(root, abs) && root != "/":
		return m.inRepository(abs[len(root):])
	case isWithin(abs, root) && !isTempRoot(abs):
		if at := m.systemOrHome(abs); at == inSystem || at == aHome {
			return at
		}
		return theRepo
	case !isTempRoot(home) && !isTempRoot(abs) && (isWithin(home, abs) || isWithin(abs, home)): // also for a home folder below the temp folder
		return m.systemOrHome(abs)
	case slices.ContainsFunc(tempFolders[:], inTempFolder):
		return inTemp
	}
	return m.systemOrHome(abs)
}

// tempFolders lists the folders for temporary files.
var tempFolders = [...]string{"/tmp", "/var/tmp", "/private/tmp", "/var/folders", "/private/var/folders", "/dev/shm"}

// isTempRoot reports whether a path is /tmp, /var/tmp or /private/tmp, the
// folders that all programs share.
func isTempRoot(abs string) bool { return abs == "/tmp" || abs == "/var/tmp" || abs == "/private/tmp" }

// isWithin reports whether a path equals a folder or is below it.
func isWithin(folder, p string) bool {
	return folder != "" && (p == folder || strings.HasPrefix(p, strings.TrimSuffix(folder, "/")+"/"))
}

// hasAnyPrefix reports whether a text starts with one of the prefixes.
func hasAnyPrefix(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(text, prefix) })
}

// inRepository returns the kind of location of a path relative to the repository root: the root
// itself, .git, build output or another file.
func (m *interpreter) inRepository(rel string) spot {
	rel = strings.TrimPrefix(rel, "/")
	if rel == "" {
		return theRepo
	}
	for rest := rel; rest != ""; {
		name, after, _ := strings.Cut(rest, "/")
		if strings.EqualFold(name, ".git") {
			return gitFolder
		}
		next, _, _ := strings.Cut(after, "/")
		if isBuilt(name) || isBuilt(name+"/"+next) {
			return inBuild
		}
		rest = after
	}
	if m.madeAgain(rel) {
		return inBuild
	}
	return inRepo
}

// madeAgain reports whether git ignores a file of the repository, except files of iDumb and
// .env files.
func (m *interpreter) madeAgain(rel string) bool {
	return m.opts.Ignored != nil && m.opts.Ignored(rel) && !strings.HasPrefix(rel, ".idumb") && !strings.HasPrefix(path.Base(rel), ".env")
}

// partly returns the kind of location of a path with an unknown part in the middle.
func (m *interpreter) partly(abs string, i int) spot {
	after := abs[i+1:]
	for name := range strings.SplitSeq(after, "/") {
		if name != "" && isKnown(name) && isBuilt(name) {
			return inBuild
		}
	}
	before := abs[:i]
	folder, name := path.Split(before)
	if name != "" && isBuilt(name) {
		return inBuild
	}
	if folder == "" || folder == "/" && name == "" {
		return somewhere
	}
	if at := m.spotOf(path.Clean(folder)); slices.Contains([]spot{inBuild, inTemp, inRepo, inSystem, gitFolder, aDevice}, at) {
		return at
	}
	return somewhere
}

// systemOrHome returns the kind of location of an absolute path outside the repository and the temp
// folders.
func (m *interpreter) systemOrHome(abs string) spot {
	home := m.opts.Home
	switch {
	case abs == home, abs == "/root", abs == "/home", abs == "/Users", isWithin(abs, home):
		return aHome
	case isWithin(home, abs), isWithin("/root", abs):
		return homeSpot(abs[min(len(home), len(abs)):])
	case isDevice(abs):
		return aDevice
	}
	first, rest, _ := strings.Cut(abs[1:], "/")
	homes := first == "home" || first == "Users"
	switch {
	case homes && strings.Contains(rest, "/"):
		return inHome
	case homes:
		return aHome
	case rest == "", strings.Contains(systemFolders, " "+first+" "): // or any folder directly below /
		return inSystem
	}
	return outsideWord
}

// homeSpot returns the kind of location of a path in the home folder. Caches can be
// rebuilt.
func homeSpot(rel string) spot {
	rel = strings.TrimPrefix(rel, "/")
	if hasAnyPrefix(rel, ".cache/", ".npm/_", "Library/Caches/", ".gradle/caches", ".local/share/Trash") || hasAny("/"+rel+"/", "/node_modules/", "/__pycache__/") {
		return inBuild
	}
	return inHome
}

// disks lists the prefixes of disk and memory device names.
var disks = [...]string{"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "md", "dm-", "mapper/", "loop", "mem", "kmem", "port", "ram", "sr", "nbd", "zvol"}

// isDevice reports whether a path is a disk or another device that a write can destroy.
func isDevice(abs string) bool {
	rest, ok := strings.CutPrefix(abs, "/dev/")
	return ok && hasAnyPrefix(rest, disks[:]...) || abs == "/proc/sysrq-trigger" || hasAnyPrefix(abs, "/sys/", `\\.\PhysicalDrive`)
}

// isSecret reports whether a file contains secrets that must not leave the machine.
func (m *interpreter) isSecret(p string) bool {
	abs := m.absolute(p)
	base := path.Base(abs)
	switch {
	case abs == "/etc/shadow", abs == "/etc/sudoers", strings.HasSuffix(abs, ".pem"), strings.HasSuffix(abs, ".p12"), strings.HasSuffix(abs, ".key"):
		return true
	case base == ".ssh", base == ".gnupg", base == ".aws", base == ".kube":
		return isWithin(m.opts.Home, abs) || !isWithin(m.opts.Root, abs)
	case strings.Contains(abs, "/.ssh/") && !strings.HasSuffix(abs, ".pub") && base != "config" && base != "known_hosts",
		strings.Contains(abs, "/.aws/credentials"), strings.Contains(abs, "/.gnupg/"), strings.Contains(abs, "/.kube/config"), strings.Contains(abs, "/.docker/config.json"):
		return true
	case base == ".netrc", base == ".npmrc" && isWithin(m.opts.Home, abs) && !isWithin(m.opts.Root, abs), base == ".pgpass", base == ".git-credentials", base == "id_rsa", base == "id_ed25519", base == ".pypirc":
		return true
	}
	return base == ".env" || strings.HasPrefix(base, ".env.") && !hasWord(".example .sample .template", path.Ext(base))
}
