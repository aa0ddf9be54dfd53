# Prints what Ruby's own parser says of files, a line of JSON for each. Names of files come in on
# standard input, each ended by a NUL byte. A file that does not parse is left out.
require "json"

Node = RubyVM::AbstractSyntaxTree::Node

def add(found, owner, name, node)
  found << { name: [*owner, name].join("."), from: node.first_lineno, to: last_line(node) }
end

# The parser leaves out the text of a heredoc that begins in the last line.
def last_line(node)
  last = node.last_lineno
  $lines[last - 1].to_s.scan(/<<[~-]?(["'`]?)([A-Za-z_]\w*)\1/) do |_, label|
    below = $lines[last..].index { |line| line.strip == label }
    last += below + 1 if below
  end
  last
end

def path(node)
  return [] unless node.is_a?(Node)
  return [node.children[0]] if %i[CONST COLON3].include?(node.type)
  path(node.children[0]) + [node.children[1]].grep(Symbol)
end

# The names written out as arguments.
def literals(node, type)
  return [] unless node.is_a?(Node)
  node.children.grep(Node).select { |n| n.type == type }.map { |n| n.children[0] }
end

def walk(node, owner, found)
  return unless node.is_a?(Node)
  case node.type
  when :CLASS, :MODULE
    inner = owner + path(node.children[0])
    add(found, owner, path(node.children[0]).join("."), node)
    node.children[1..].each { |n| walk(n, inner, found) }
    return
  when :DEFN
    return add(found, owner, node.children[0], node)
  when :DEFS
    return add(found, owner, node.children[1], node)
  when :CDECL
    add(found, owner, node.children[0], node) if node.children[0].is_a?(Symbol)
  when :GASGN
    add(found, [], node.children[0], node)
  when :FCALL
    if %i[attr_reader attr_writer attr_accessor].include?(node.children[0])
      literals(node.children[1], :LIT).each { |name| add(found, owner, name, node) if name.is_a?(Symbol) }
    end
  end
  node.children.each { |n| walk(n, owner, found) }
end

def imports(node, found)
  return unless node.is_a?(Node)
  if node.type == :FCALL && %i[require require_relative load].include?(node.children[0])
    argument = node.children[1]&.children&.first
    if argument.is_a?(Node) && argument.type == :STR && argument.children[0] != ""
      from = argument.children[0]
      from = "./" + from if node.children[0] == :require_relative && !from.start_with?(".")
      found << from
    end
  elsif node.type == :FCALL && node.children[0] == :autoload
    argument = node.children[1]&.children&.at(1)
    found << argument.children[0] if argument.is_a?(Node) && argument.type == :STR
  end
  node.children.each { |n| imports(n, found) }
end

STDIN.read.split("\0").each do |file|
  tree = begin
    text = File.read(file, encoding: "UTF-8")
    $lines = text.scrub.lines
    RubyVM::AbstractSyntaxTree.parse(text)
  rescue SyntaxError, ArgumentError, EncodingError
    next
  end
  symbols, required = [], []
  walk(tree, [], symbols)
  imports(tree, required)
  begin
    puts JSON.generate(path: file, symbols: symbols, imports: required.uniq)
  rescue JSON::GeneratorError, EncodingError
    next
  end
end
