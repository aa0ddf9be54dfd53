package technologies

import (
	"bytes"
	"path"
	"strings"
)

// writers are files that say which version of a tool wrote or is fetched by them: their names, what the
// line begins with, and the tool.
var writers = [...]struct{ file, line, tool string }{
	{"gradle-wrapper.properties", "distributionUrl=", "gradle"},
	{"maven-wrapper.properties", "distributionUrl=", "maven"},
	{"Podfile.lock", "COCOAPODS: ", "cocoapods"},
}

// writer reads the version of the tool that a file is of: of an address as well
// (https\://services.gradle.org/distributions/gradle-8.0-bin.zip).
func (s *scan) writer(file string) []dependency {
	var all []dependency
	for _, w := range writers {
		if w.file != path.Base(file) {
			continue
		}
		eachLine(bytes.NewReader(s.text(file)), func(line string, number int) {
			value, found := strings.CutPrefix(line, w.line)
			if !found {
				return
			}
			version := tagVersion(strings.TrimPrefix(strings.TrimPrefix(path.Base(value), "apache-"), w.tool+"-"))
			all = append(all, dependency{ecosystem: "runtime", name: w.tool, version: version, role: Build, dir: s.workspaceOf(dirOf(file)), file: file, line: number})
		})
	}
	return all
}
