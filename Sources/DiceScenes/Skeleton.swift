// Module skeleton, replaced by its first source file.
