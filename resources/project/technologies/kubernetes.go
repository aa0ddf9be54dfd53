package technologies

import (
	"bytes"
	"strings"
)

// kubernetes reads a file that has objects of Kubernetes, once; any other has none.
func (s *scan) kubernetes(file string) []dependency {
	if s.objects[file] {
		return nil
	}
	s.objects[file] = true
	o := objects{s: s, file: file, seen: map[string]bool{}}
	eachLine(bytes.NewReader(s.text(file)), o.line)
	return o.found
}

// objects collects what the objects of one file show: the images that they run, the operators that
// they are for, the charts that they release.
type objects struct {
	s       *scan
	file    string
	found   []dependency
	begun   bool            // an apiVersion has been read
	seen    map[string]bool // names of operators
	group   string          // of the last apiVersion, until its kind is read
	release release
}

// release is the chart of an Application or a HelmRelease, whose version stands before or after it
// and is indented as it is.
type release struct {
	column, line int
	version      string
	chart        int // where in found, counted from 1
}

// line reads a line: objects are too many to be read as trees, and templates are none.
func (o *objects) line(line string, number int) {
	text := strings.TrimLeft(line, " -")
	key, value, isPair := strings.Cut(text, ":")
	if !isPair || text[0] == '#' {
		return
	}
	column := len(line) - len(text)
	if column < o.release.column || strings.HasPrefix(strings.TrimLeft(line, " "), "-") {
		o.release = release{}
	}
	key, value = strings.Trim(key, `"' `), strings.Trim(strings.TrimSpace(firstOf(value, " #")), `"'`)
	switch computed := strings.Contains(value, "{{"); {
	case key == "apiVersion":
		o.version(value, column, number)
	case !o.begun:
	case strings.Contains(key, "/"):
		o.annotation(key, value, number)
	case value == "" || computed:
	case key == "kind" && column == 0 && o.group != "":
		o.operator(o.group+"/"+value, number)
		o.group = ""
	case key == "image":
		o.found = append(o.found, o.s.image(value, Infra, o.file, number, fromCompose))
	case key == "ingressClassName":
		o.operator(value+ingress, number)
	case key == "chart" && chartName(value) != "":
		o.chart(chartName(value), column, number)
	case key == "targetRevision" || key == "version":
		o.chartVersion(value, column, number)
	}
}

// version takes an apiVersion: the group of one is the domain of its operator.
func (o *objects) version(value string, column, number int) {
	if !o.begun {
		o.begun = true
		o.found = append(o.found, o.s.infra(dependency{ecosystem: "runtime", name: "kubernetes", source: fromFile}, o.file, number))
	}
	group, _, isGroup := strings.Cut(value, "/")
	if isGroup && column == 0 {
		o.group = group
		o.operator(group, number)
	}
}

// ingress ends the domain of what annotations say to a controller, after the name of its class.
const ingress = ".ingress.kubernetes.io"

// annotation takes an annotation or a label: it begins with the domain of who reads it.
func (o *objects) annotation(key, value string, number int) {
	if key == "kubernetes.io/ingress.class" {
		o.operator(value+ingress, number)
		return
	}
	o.operator(firstOf(key, "/"), number)
}

// operator takes the domain of an operator, once.
func (o *objects) operator(domain string, number int) {
	if !o.seen[domain] {
		o.seen[domain] = true
		o.found = append(o.found, o.s.infra(dependency{ecosystem: "api", name: domain}, o.file, number))
	}
}

// chart takes the name of a chart.
func (o *objects) chart(name string, column, number int) {
	if column != o.release.column {
		o.release = release{column: column}
	}
	o.found = append(o.found, o.s.infra(dependency{ecosystem: "chart", name: name}, o.file, number))
	o.release.chart = len(o.found)
	o.settle()
}

// chartVersion takes what may be the version of a chart.
func (o *objects) chartVersion(value string, column, number int) {
	r := &o.release
	if r.chart > 0 && column != r.column {
		return
	}
	r.column, r.version, r.line = column, value, number
	o.settle()
}

// settle gives the chart its version when both have been read.
func (o *objects) settle() {
	if r := o.release; r.chart > 0 && r.version != "" {
		d := &o.found[r.chart-1]
		d.version, d.line = r.version, r.line
		o.release = release{}
	}
}
