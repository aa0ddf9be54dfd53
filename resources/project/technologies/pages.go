package technologies

import (
	"bytes"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project"
)

// pages are files that a browser is shown, and templates of them.
var pages = [...]string{
	"*.html", "*.htm", "*.erb", "*.ejs", "*.hbs", "*.jinja", "*.jinja2", "*.j2", "*.tmpl", "*.gohtml", "*.blade.php", "*.twig", "*.cshtml", "*.leex", "*.heex", "*.eex", "*.pug",
}

// isPage reports whether a file is a page in no folder of fixtures but one of templates: there an
// application's own pages stand.
func isPage(file string) bool {
	return slices.ContainsFunc(pages[:], func(pattern string) bool { return strings.HasSuffix(file, pattern[1:]) }) &&
		!project.IsFixture(strings.NewReplacer("templates/", "", "template/", "").Replace(file))
}

// networks deliver packages of npm to browsers: what stands before the name of a package, and what
// between that and its version.
var networks = [...]struct{ before, between string }{
	{"cdn.jsdelivr.net/npm/", "@"}, {"unpkg.com/", "@"}, {"esm.sh/", "@"}, {"cdn.skypack.dev/", "@"}, {"cdnjs.cloudflare.com/ajax/libs/", "/"},
	{"ajax.googleapis.com/ajax/libs/", "/"}, {"code.jquery.com/jquery", "-"}, {"maxcdn.bootstrapcdn.com/bootstrap", "/"}, {"stackpath.bootstrapcdn.com/bootstrap", "/"},
}

// page reads what a page, or a template of one, loads into a browser from a network that delivers it.
func (s *scan) page(file string) []dependency {
	var all []dependency
	eachLine(bytes.NewReader(s.text(file)), func(line string, number int) {
		for _, n := range networks {
			_, rest, found := strings.Cut(line, n.before)
			if !found {
				continue
			}
			rest = rest[:strings.IndexAny(rest+"\"", "\"'`?) \\")]
			name, version := delivered(n.before, rest, n.between)
			all = append(all, dependency{ecosystem: "npm", name: name, version: version, role: Runtime, dir: s.workspaceOf(dirOf(file)), file: file, line: number, source: fromFile})
		}
	})
	return all
}

// delivered reads name@version/file, @scope/name@version and, of networks that deliver one package alone,
// what stands behind its name.
func delivered(before, rest, between string) (name, version string) {
	if i := strings.LastIndexByte(before, '/'); i < len(before)-1 {
		name, rest = before[i+1:], strings.TrimPrefix(rest, between)
	} else {
		scope := ""
		if strings.HasPrefix(rest, "@") {
			scope, rest, _ = strings.Cut(rest, "/")
			scope += "/"
		}
		end := strings.IndexAny(rest+"/", "@/")
		name, rest = scope+rest[:end], strings.TrimPrefix(rest[end:], between)
	}
	version = tagVersion(firstOf(rest, "/"))
	if name == "twitter-bootstrap" {
		name = "bootstrap"
	}
	if strings.Contains(before, "cdnjs") && len(table().packages("npm", name)) == 0 {
		name = strings.TrimSuffix(name, ".js")
	}
	return name, version
}
