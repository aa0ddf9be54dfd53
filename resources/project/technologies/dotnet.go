package technologies

import (
	"io"
	"path"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// dotnet reads a project of .NET, the properties for all of a folder, or a global.json. The
// versions of packages may stand in the nearest Directory.Packages.props.
func (s *scan) dotnet(file string) []dependency {
	root, dir := s.tree(file), dirOf(file)
	if path.Base(file) == "global.json" {
		if n := root.Get("sdk", "version"); n != nil {
			return []dependency{{ecosystem: "runtime", name: "dotnet", version: n.Value, role: Build, dir: dir, file: file, line: n.Line, source: fromDockerfile}}
		}
		return nil
	}
	var all []dependency
	sdk, version, _ := strings.Cut(root.Text("Sdk"), "/")
	if sdk == "Microsoft.NET.Sdk.Web" {
		sdk = "Microsoft.AspNetCore.App"
	}
	all = append(all, dependency{ecosystem: "nuget", name: sdk, version: version, role: Runtime, dir: dir, file: file, line: root.Line})
	for _, group := range root.List() {
		for _, n := range group.List() {
			d := dependency{ecosystem: "nuget", name: n.Text("Include"), version: n.Text("Version"), role: Runtime, dir: dir, file: file, line: n.Line}
			switch n.Key {
			case "PackageReference", "GlobalPackageReference":
				s.centralVersion(&d)
			case "FrameworkReference":
			case "TargetFramework", "TargetFrameworks":
				d.ecosystem, d.name, d.version = "runtime", "dotnet", targetVersion(n.Value)
				if sdk == "Microsoft.AspNetCore.App" { // it comes with .NET, in its version
					all = append(all, dependency{ecosystem: "nuget", name: sdk, version: d.version, role: Runtime, dir: dir, file: file, line: n.Line})
				}
			default:
				continue
			}
			all = append(all, d)
		}
	}
	return all
}

// dotnetTools reads the tools that a repository installs for itself.
func (s *scan) dotnetTools(file string) []dependency {
	var all []dependency
	for _, n := range s.tree(file).Get("tools").List() {
		all = append(all, dependency{ecosystem: "nuget", name: n.Key, version: n.Text("version"), role: Build, dir: s.workspaceOf(dirOf(file)), file: file, line: n.Line})
	}
	return all
}

// targetVersion is net8.0 as 8.0; "" for a property.
func targetVersion(target string) string {
	version, named := strings.CutPrefix(firstOf(target, ";"), "net")
	if !named || !isVersion(version) {
		return ""
	}
	return firstOf(version, "-")
}

// centralVersion finds the version of a package for all projects.
func (s *scan) centralVersion(d *dependency) {
	file, _, found := s.nearest(d.dir, "Directory.Packages.props")
	if !found || d.version != "" {
		return
	}
	d.pin(s.lockOf(file, readCentral), canonical("nuget", d.name))
}

// readCentral reads a Directory.Packages.props, which has a version for each package.
func readCentral(r io.Reader, l *lock) {
	data, _ := io.ReadAll(r)      // what can be read of it
	root, _ := manifest.XML(data) // up to the first mistake
	for _, group := range root.List() {
		for _, n := range group.List() {
			if n.Key == "PackageVersion" {
				l.put(canonical("nuget", n.Text("Include")), propertyOf(root, n.Text("Version")), n.Line)
			}
		}
	}
}

// propertyOf resolves $(Name) among the properties of a file.
func propertyOf(root *manifest.Node, version string) string {
	name, isProperty := strings.CutPrefix(version, "$(")
	if !isProperty {
		return version
	}
	for _, group := range root.List() {
		if value := group.Text(strings.TrimSuffix(name, ")")); value != "" {
			return value
		}
	}
	return ""
}
