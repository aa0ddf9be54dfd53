import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.tools.*;

/**
 * Reads names of files below a root, and tells where the imports of each lead: to the files in which javac's parser
 * finds the types that they name. A type that several files declare is not answered for.
 */
public class Edges {
	private static final Map<String, Set<String>> types = new HashMap<>(), packages = new HashMap<>();

	public static void main(String[] args) throws Exception {
		var compiler = ToolProvider.getSystemJavaCompiler();
		var names = new String(System.in.readAllBytes(), StandardCharsets.UTF_8).split("\0");
		var imports = new LinkedHashMap<String, List<ImportTree>>();
		for (var name : names) {
			if (!name.endsWith(".java")) {
				continue;
			}
			var errors = new DiagnosticCollector<JavaFileObject>();
			try (var files = compiler.getStandardFileManager(errors, null, StandardCharsets.UTF_8)) {
				var task = (JavacTask) compiler.getTask(Writer.nullWriter(), files, errors, List.of("-proc:none"), null, files.getJavaFileObjects(Path.of(args[0], name)));
				for (var unit : task.parse()) {
					declared(name, unit);
					if (errors.getDiagnostics().stream().noneMatch(d -> d.getKind() == Diagnostic.Kind.ERROR)) {
						imports.put(name, List.copyOf(unit.getImports()));
					}
				}
			}
		}
		var out = new PrintStream(new BufferedOutputStream(System.out), false, StandardCharsets.UTF_8);
		imports.forEach((name, all) -> out.println("{\"path\":" + quoted(name) + ",\"imports\":{" + answers(all) + "}}"));
		out.flush();
	}

	private static void declared(String file, CompilationUnitTree unit) {
		var pack = unit.getPackageName() == null ? "" : unit.getPackageName() + ".";
		packages.computeIfAbsent(pack, k -> new TreeSet<>()).add(file);
		for (var t : unit.getTypeDecls()) {
			if (t instanceof ClassTree c) {
				types.computeIfAbsent(pack + c.getSimpleName(), k -> new TreeSet<>()).add(file);
			}
		}
	}

	private static String answers(List<ImportTree> all) {
		var found = new TreeMap<String, Set<String>>();
		for (var i : all) {
			var name = i.getQualifiedIdentifier().toString();
			var star = name.endsWith(".*");
			var from = i.isStatic() || star ? name.substring(0, name.lastIndexOf('.')) : name;
			var to = leads(from, star && !i.isStatic());
			if (to != null) {
				found.computeIfAbsent(from, k -> new TreeSet<>()).addAll(to);
			}
		}
		return found.entrySet().stream()
			.map(e -> quoted(e.getKey()) + ":[" + e.getValue().stream().map(Edges::quoted).collect(Collectors.joining(",")) + "]")
			.collect(Collectors.joining(","));
	}

	/** The files of a package, or that of a type or of the one that it stands in; null where nobody can say. */
	private static Set<String> leads(String name, boolean star) {
		if (star && packages.containsKey(name + ".")) {
			return packages.get(name + ".");
		}
		for (var type = name; type.contains("."); type = type.substring(0, type.lastIndexOf('.'))) {
			var files = types.get(type);
			if (files != null) {
				return files.size() == 1 ? files : null;
			}
		}
		return name.startsWith("java.") ? Set.of("") : null;
	}

	private static String quoted(String text) {
		return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
	}
}
